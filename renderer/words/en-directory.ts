/** Words of the school's directory and calendar. */
import { numberText, plural } from '../../shared/numbers.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const shortWeekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

export const directory = {
  title: 'Directory',
  text: 'Who works at the school, how to reach them away from PsyFlo Console, and when school is in session.',
  noStation:
    'The directory is kept at the school’s station, and this console is not connected to one. Until PSYFLO_STATION_URL is set, the directory cannot be changed from here, and the station is not told which counselor each student has. Alerts still arrive.',
  none: 'This console has not received a directory yet. It will, as soon as someone saves one at the school’s station.',
  noneOnDesk: 'This desk’s directory has not been saved yet.',
  sealed:
    'A directory arrived, but this console does not have the key to open it. An admin has to approve this console first; Settings → Queues & connection shows how.',
  newerSealed: 'A newer directory arrived that this console cannot open. Below is the last one it could read.',
  state: (version: number, when: string | null, by: string | null) =>
    [
      `Version ${numberText(version)}`,
      ...(when === null ? [] : [`saved ${when}`]),
      ...(by === null ? [] : [`by ${by}`]),
    ].join(' · '),
  /** Who saved it where nobody did. */
  byItself: 'this desk itself',
  cached: 'This is the last copy this console received. You can read it even when the station is not available.',
  edit: 'Edit the directory',
  onlyAdmin: 'Only an admin can change it.',
  assignments: {
    noStation: (count: number) =>
      `${plural(count, { one: '# student’s counselor is', other: '# students’ counselors are' })} known only on this console, because it is not connected to a station.`,
    problem: (count: number, happened: string) =>
      `The station has not yet been told about ${plural(count, { one: '# student’s counselor', other: '# students’ counselors' })}: ${happened} It will be told as soon as possible, even after a restart. You do not need to import the roster again.`,
    sending: (count: number) =>
      `Telling the station about ${plural(count, { one: '# student’s counselor', other: '# students’ counselors' })}…`,
    unlisted: (count: number) =>
      `${plural(count, { one: '# student has', other: '# students have' })} a counselor who is not in the directory. The station will be told as soon as the counselor is listed there.`,
    sent: 'The station knows which counselor each student has.',
  },
  people: {
    title: 'People of the school',
    name: 'Name',
    role: 'Role',
    id: 'Id in sign-in tokens',
    idHint: 'The “sub” claim of their token.',
    sms: 'Phone for texts',
    voice: 'Phone for calls',
    email: 'E-mail',
    phoneHint: 'With country code: +1 555 014 2000',
    none: 'No one is listed.',
    reached: 'Can be reached by',
    notReached: 'only in PsyFlo Console',
    unreached: (names: string, count: number) =>
      `${plural(count, { one: '# person', other: '# people' })} can be reached only in PsyFlo Console: ${names}.`,
    allReached: 'Everyone listed can also be reached by phone or e-mail.',
    add: 'Add a person',
    remove: (name: string) => `Remove ${name}`,
    unnamed: 'the new person',
    nobody: 'New person',
    account: 'Name and role come from Settings → People.',
  },
  calendar: {
    title: 'Calendar',
    zone: 'Time zone',
    closed: 'Days without school',
    noneClosed: 'None listed.',
    closedName: 'Occasion',
    from: 'First day',
    to: 'Last day',
    addClosed: 'Add days without school',
    nth: (label: string, number: number) => `${label}, line ${numberText(number)}`,
    removeClosed: (number: number) => `Remove line ${numberText(number)} of the days without school`,
    periods: 'Weekly class periods and breaks',
    nonePeriods: 'None listed.',
    periodName: 'Period or break',
    start: 'Starts',
    end: 'Ends',
    days: 'Days',
    addPeriod: 'Add a period or break',
    removePeriod: (number: number) => `Remove line ${numberText(number)} of the periods and breaks`,
    dayRange: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
    weekdays,
    shortWeekdays,
  },
  numbers: {
    title: 'Crisis numbers',
    text: 'Numbers a student is shown in a crisis, along with the crisis reply.',
    none: 'The school has not added any numbers of its own.',
    name: 'Who answers',
    contact: 'Number',
    add: 'Add a number',
    remove: (number: number) => `Remove number ${numberText(number)}`,
    elsewhere: 'On this desk they are part of what the chat shows in a crisis.',
    go: 'Change them under Chat',
  },
  problem: {
    name: 'Type a name.',
    id: 'Type the id.',
    sms: 'Type the number with its country code, such as +1 555 014 2000.',
    voice: 'Type the number with its country code, such as +1 555 014 2000.',
    email: 'Type a full e-mail address, such as name@school.org.',
    from: 'Choose one.',
    to: 'Choose one.',
    weekdays: 'Choose at least one day.',
    contact: 'Type a number.',
    time_zone: 'Choose a time zone.',
    role: 'Choose a role.',
    form: 'Something here cannot be saved. There may be too many lines.',
  } as Record<string, string>,
  save: 'Save the directory',
  saved: 'Saved. Every console at the school will receive it.',
  notYet: (count: number) => plural(count, { one: '# field needs attention.', other: '# fields need attention.' }),
  cancel: 'Stop editing',
  discard: {
    title: 'Stop editing the directory?',
    text: 'Your changes will be lost.',
    action: 'Stop editing',
  },
  meanwhile: {
    title: (by: string | null, version: number) =>
      `${by ?? 'Someone else'} saved version ${numberText(version)} while you were editing.`,
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
    same: 'They saved the same changes as you.',
  },
}
