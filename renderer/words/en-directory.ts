/** Words of the school's directory and calendar. */
import { numberText, plural } from '../../shared/numbers.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const shortWeekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

export const directory = {
  title: 'Directory',
  text: 'Whom the school’s station can tell beside the consoles, how, and when the school is in session.',
  noStation:
    'This console has no station to ask: the directory is kept there. Until PSYFLO_STATION_URL names it, nobody can change the directory from here, and the station does not learn from here whose students are whose. Alerts come as always.',
  none: 'No directory has come to this console yet. It comes when somebody has saved one at the school’s station.',
  noneOnDesk: 'The directory of this desk has not been saved yet.',
  sealed:
    'A directory came, and this console has no key that opens it. An admin approves this console for the school’s key; Settings → Queues shows how.',
  newerSealed:
    'A newer directory came that this console cannot open. What you see below is the last one it could read.',
  state: (version: number, when: string | null, by: string | null) =>
    [
      `Version ${numberText(version)}`,
      ...(when === null ? [] : [`saved ${when}`]),
      ...(by === null ? [] : [`by ${by}`]),
    ].join(' · '),
  /** Who saved it where nobody did. */
  byItself: 'this desk itself',
  cached: 'As this console heard of it last. It can be read while the station is away.',
  edit: 'Edit the directory',
  onlyAdmin: 'An admin can change it.',
  assignments: {
    noStation: (count: number) =>
      `${plural(count, { one: '# student’s counselor is', other: '# students’ counselors are' })} known on this console alone, as it has no station.`,
    problem: (count: number, happened: string) =>
      `The station has not been told yet of ${plural(count, { one: '# student’s counselor', other: '# students’ counselors' })}: ${happened} It is told as soon as it can be, also after a restart. Nothing has to be imported again.`,
    sending: (count: number) =>
      `Telling the station about ${plural(count, { one: '# student’s counselor', other: '# students’ counselors' })}…`,
    unlisted: (count: number) =>
      `${plural(count, { one: '# student has', other: '# students have' })} a counselor who is not in the directory. The station is told as soon as they are listed there.`,
    sent: 'The station knows whose students they are.',
  },
  people: {
    title: 'People of the school',
    name: 'Name',
    role: 'Role',
    id: 'Id in sign-in tokens',
    idHint: 'The claim “sub” of their token.',
    sms: 'Phone for texts',
    voice: 'Phone for calls',
    email: 'E-mail',
    phoneHint: 'With the country: +1 555 014 2000',
    none: 'Nobody is listed.',
    reached: 'Reached beside the console',
    notReached: 'only at the console',
    unreached: (names: string, count: number) =>
      `${plural(count, { one: '# person', other: '# people' })} cannot be reached beside the console: ${names}.`,
    allReached: 'Everybody listed can be reached beside the console.',
    add: 'Add somebody',
    remove: (name: string) => `Remove ${name}`,
    unnamed: 'the new person',
    nobody: 'New person',
    account: 'Name and role are those of Settings → People.',
  },
  calendar: {
    title: 'Calendar',
    zone: 'Time zone',
    closed: 'Days without school',
    noneClosed: 'No day is named.',
    closedName: 'Occasion',
    from: 'First day',
    to: 'Last day',
    addClosed: 'Add days without school',
    nth: (label: string, number: number) => `${label}, line ${numberText(number)}`,
    removeClosed: (number: number) => `Remove line ${numberText(number)} of the days without school`,
    periods: 'Lessons and breaks of a week',
    nonePeriods: 'None is named.',
    periodName: 'Lesson or break',
    start: 'Begins',
    end: 'Ends',
    days: 'Days',
    addPeriod: 'Add a lesson or break',
    removePeriod: (number: number) => `Remove line ${numberText(number)} of the lessons and breaks`,
    dayRange: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
    weekdays,
    shortWeekdays,
  },
  numbers: {
    title: 'Crisis numbers',
    text: 'What a student is given in a crisis beside the crisis reply.',
    none: 'The school has named no number of its own.',
    name: 'Who answers',
    contact: 'Number',
    add: 'Add a number',
    remove: (number: number) => `Remove number ${numberText(number)}`,
    elsewhere: 'On a desk they are part of what the chat shows in a crisis, and changed there.',
    go: 'Change them under Chat',
  },
  problem: {
    name: 'Type a name.',
    id: 'Type the id.',
    sms: 'Type the number with its country, such as +1 555 014 2000.',
    voice: 'Type the number with its country, such as +1 555 014 2000.',
    email: 'This is not an e-mail address.',
    from: 'Choose one.',
    to: 'Choose one.',
    weekdays: 'Choose at least one day.',
    contact: 'Type a number.',
    time_zone: 'Choose a time zone.',
    role: 'Choose a role.',
    form: 'Something here cannot be saved: there may be too many lines.',
  } as Record<string, string>,
  save: 'Save the directory',
  saved: 'Saved. Every console of the school hears of it.',
  notYet: (count: number) =>
    plural(count, { one: '# field needs another look.', other: '# fields need another look.' }),
  cancel: 'Stop editing',
  discard: {
    title: 'Stop editing the directory',
    text: 'What you typed is lost.',
    action: 'Stop editing',
  },
  meanwhile: {
    title: (by: string | null, version: number) =>
      `${by ?? 'Somebody else'} saved version ${numberText(version)} while you were editing.`,
    text: 'Nothing you typed is lost, and nothing is saved yet. Their changes are in the form next to yours; where you both changed the same field, the form has yours. Look it over, then save again.',
    what: {
      added: 'added by them',
      changed: 'changed by them',
      removed: 'removed by them',
      reordered: 'put in a different order by them',
    },
    part: {
      person: (name: string) => name,
      closed: (name: string) => `Days without school “${name}”`,
      period: (name: string, day: string) => `“${name}” on ${day}`,
      number: (name: string) => (name === '' ? 'Crisis numbers' : `Crisis number “${name}”`),
      'time zone': (name: string) => `Time zone (${name})`,
    },
    line: (what: string, which: string, kept: string) => `${which}: ${what}; ${kept}.`,
    kept: { theirs: 'the form has their version', yours: 'the form has yours' },
    field: (which: string, field: string) => `${which}, ${field}`,
    onlyTheirs: (which: string, theirs: string) => `${which}: they entered ${theirs}, and the form has it.`,
    both: (which: string, theirs: string, yours: string) =>
      `${which}: they entered ${theirs}; you entered ${yours}, and the form has yours.`,
    /** Under a field that both changed. */
    theirs: (value: string) => `They entered: ${value}`,
    nothing: 'nothing',
    fields: {
      name: 'name',
      role: 'role',
      school_ids: 'schools',
      sms: 'phone for texts',
      voice: 'phone for calls',
      email: 'e-mail',
      from: 'start',
      to: 'end',
      contact: 'number',
    },
    same: 'They saved the same as you.',
  },
}
