/** Words of the Settings screen. */
import type { MatchMeaning } from '../../shared/assessment.ts'
import type { ClinicalProblem, EmbedderInUse } from '../../shared/views.ts'
import { numberText, plural } from '../../shared/numbers.ts'

const meaning: Record<MatchMeaning, string> = {
  affirmed: 'meant, now, about oneself',
  negated: 'negated',
  'about someone else': 'about someone else',
  past: 'past',
  hypothetical: 'hypothetical',
  quoted: 'quoted',
  hyperbole: 'figure of speech',
  'trivial cause': 'trivial cause',
}

const clinicalWhy: Record<ClinicalProblem, (status: number | null) => string> = {
  late: () => 'it did not answer in time',
  unreachable: () => 'it could not be reached',
  refused: (status) => (status === null ? 'it refused' : `it answered with status ${status}`),
  redirected: () => 'it redirected the request, and redirects are not followed',
  'too large': () => 'its answer was too large',
  unreadable: () => 'its answer was not in the expected form',
}

const loadProblem: Record<NonNullable<EmbedderInUse['problem']>, string> = {
  'no runtime': 'the optional packages onnxruntime-web and @huggingface/tokenizers are not installed',
  'missing file': 'its folder holds no model.onnx (or onnx/model.onnx) and tokenizer.json',
  unreadable: 'its files are not those of a sentence-embedding model',
}

export const settings = {
  title: 'Settings',
  tabs: {
    queues: 'Queues & connection',
    appearance: 'Appearance',
    roster: 'Roster import',
    people: 'People',
    directory: 'Directory',
    'on-call': 'On call',
    chat: 'Chat',
    detection: 'Detection',
  },
  queues: {
    title: 'Queues',
    mode: { desk: 'Desk: this machine hosts everything', district: 'District: queues of your cloud account' },
    modeLabel: 'Deployment',
    events: 'Events queue',
    acks: 'Acknowledgement queue',
    noAcks: 'none: acknowledgements stay on this console',
    endpoint: 'Endpoint',
    standardEndpoint: 'the provider’s default',
    internal: 'The desk’s internal queue',
    internalText:
      'It connects the parts of this program with each other, and ends with it. The chat calls another address, which an admin finds under Settings → Chat.',
    region: 'Region',
    retention: 'Events are kept',
    days: (count: number) => plural(count, { one: '# day', other: '# days' }),
    environment: 'Set by the environment',
    about: 'About this console',
    aboutText: 'An admin, or whoever runs the school’s station, may ask you for these.',
    test: 'Test the connection',
    testing: 'Testing…',
    testTitle: 'Connection test',
    testHint: 'The test sends and receives no student data.',
    passed: 'Every step passed.',
    failed: 'A step failed. What to do is shown next to it.',
    ok: 'passed',
    notOk: 'failed',
    enrolment: {
      title: 'This console at your school',
      label: 'Fingerprint',
      state: {
        'no queue':
          'Not announced: without an acknowledgement queue, the school’s station cannot learn about this console.',
        'not announced':
          'Not announced yet: this console announces itself once it knows its school and has heard from the school’s station.',
        waiting:
          'Waiting for approval. An admin compares this fingerprint with the one listed at the school’s station and approves it there. Until then, text sealed with the school’s key cannot be opened here. Alerts still arrive.',
        approved: 'Approved: text sealed with the school’s key can be opened here.',
      },
      since: 'Since',
    },
  },
  appearance: {
    title: 'Appearance',
    theme: 'Theme',
    themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
    density: 'Density',
    densities: { comfortable: 'Comfortable', compact: 'Compact' },
    singleKeys: 'Single-key shortcuts (j, k, a, …)',
    sound: 'Sound of a new alert',
    sounds: { chime: 'Chime', bell: 'Bell', off: 'For a crisis only' },
    soundHint: 'A new crisis always sounds.',
    hear: 'Hear it',
    notifications: {
      title: 'System notifications',
      text: 'They announce a new alert while you are working in another window. They contain no names and no quotes.',
      allow: 'Allow notifications',
      granted: 'Allowed.',
      default:
        'Not allowed yet. Without them, only the sound tells you about a crisis while you are in another window.',
      denied:
        'The browser blocks them for this page, so only the sound tells you about a crisis while you are in another window. Allow them in the browser’s settings for this site.',
      missing:
        'This browser does not have them, so only the sound tells you about a crisis while you are in another window.',
    },
  },
  roster: {
    title: 'Roster import',
    text: 'A CSV with student id, name, grade, class, counselor, and for up to four guardians guardian_1_name, guardian_1_relation, guardian_1_phone, guardian_1_email, guardian_1_language and guardian_1_do_not_contact (a reason or “yes”), then guardian_2_name and so on. A single column “guardian contact” works too. Names stay in the encrypted store of this console.',
    file: 'CSV file',
    salt: 'School salt',
    saltHint:
      'The secret the chat uses to turn student ids into pseudonyms. An admin can get it from the school’s station. It is needed to match students, and is not shown again.',
    preview: 'Preview',
    rows: (rows: number) => plural(rows, { one: '# row', other: '# rows' }),
    valid: (valid: number) => `${numberText(valid)} can be imported`,
    fresh: (count: number) => `${numberText(count)} new`,
    changed: (count: number) => `${numberText(count)} changed`,
    missing: (count: number) =>
      plural(count, {
        one: '# student of the school’s roster is not in this file and stays as imported before.',
        other: '# students of the school’s roster are not in this file and stay as imported before.',
      }),
    last: (when: string, students: number) =>
      `Last imported: ${when}, ${plural(students, { one: '# student', other: '# students' })}.`,
    never: 'No roster has been imported yet.',
    errors: (count: number) => plural(count, { one: '# row has a problem', other: '# rows have a problem' }),
    line: 'Line',
    column: 'Column',
    problem: 'Problem',
    sample: 'First rows',
    import: 'Import',
    imported: (count: number, errors: number) =>
      [
        plural(count, { one: '# student imported.', other: '# students imported.' }),
        ...(errors > 0 ? [plural(errors, { one: '# row was left out.', other: '# rows were left out.' })] : []),
      ].join(' '),
    none: 'None of the rows can be imported.',
    whichCounselor: (name: string) => `Who “${name}” is`,
    whichHint: (students: number) =>
      `Several people at this school have this name. ${plural(students, { one: '# student is', other: '# students are' })} assigned to this name.`,
    choose: 'Choose a person',
    noneOfThem: 'None of them',
    unknownCounselors: (names: string) =>
      `No account is named ${names} yet. These students will be assigned when there is one.`,
    id: 'Student id',
    name: 'Name',
    grade: 'Grade',
    class: 'Class',
    counselor: 'Counselor',
    guardian: 'Guardians',
    doNotContact: (name: string) => `${name}: do not contact`,
  },
  timetable: {
    title: 'Timetable import',
    text: 'A CSV with one line for each lesson of the week: student_id (or class, for everybody in it), weekday, period (its name in Settings → Directory) or from and to, subject, and room. With it an alert says where the student should be at that minute. Without it an alert names only the class on the roster.',
    file: 'Timetable (CSV)',
    preview: 'What this timetable has',
    rows: (rows: number) => plural(rows, { one: '# line', other: '# lines' }),
    valid: (valid: number) => `${numberText(valid)} can be imported`,
    of: (students: number, classes: number) =>
      `${plural(students, { one: '# student', other: '# students' })} and ${plural(classes, { one: '# class', other: '# classes' })}`,
    replaces: (lessons: number) =>
      `Saving replaces the whole timetable (${plural(lessons, { one: '# lesson', other: '# lessons' })} today).`,
    unknownStudents: (count: number) =>
      plural(count, {
        one: '# student in this file is not on the roster. Their lessons are kept, and show once they are.',
        other: '# students in this file are not on the roster. Their lessons are kept, and show once they are.',
      }),
    unknownClasses: (names: string) =>
      `Nobody on the roster is in: ${names}. Check how the roster writes these classes.`,
    last: (when: string, lessons: number) =>
      `Last imported: ${when}, ${plural(lessons, { one: '# lesson', other: '# lessons' })} a week.`,
    never: 'No timetable has been imported yet.',
    errors: (count: number) => plural(count, { one: '# line has a problem', other: '# lines have a problem' }),
    sample: 'First lines',
    import: 'Save timetable',
    imported: (count: number, leftOut: number) =>
      [
        plural(count, { one: '# lesson imported.', other: '# lessons imported.' }),
        ...(leftOut > 0 ? [plural(leftOut, { one: '# line was left out.', other: '# lines were left out.' })] : []),
      ].join(' '),
    none: 'None of the lines can be imported.',
    whose: 'Student or class',
    weekday: 'Weekday',
    when: 'When',
    subject: 'Subject',
    room: 'Room',
    days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  },
  people: {
    title: 'People',
    text: 'Who may use this console. Every action is recorded with the name of the person who took it.',
    name: 'Name',
    role: 'Role',
    id: 'Id',
    school: 'School',
  },
  detection: {
    choice: {
      title: 'How cautiously messages are read',
      text: 'One choice for the whole school. It moves how sure the second reader must be before it raises a message. Known phrases always count in full, whatever is chosen.',
      measured: (messages: string) =>
        `Per 1,000 students, who write ${messages} messages in a week of ordinary talk. Missed: of messages in which danger is told, those that raise no alert (short ones) or are not even marked caution (long ones). Measured on texts by others, not at your school.`,
      point: 'Choice',
      alerts: 'Alerts',
      watch: 'Caution only',
      missesShort: 'Missed, short',
      missesLong: 'Missed, long',
      weekly: (count: string) => `about ${count} a week`,
      ofHundred: (count: string) => `${count} of 100`,
      sentence: (of: { alerts: string; watch: string; short: string; long: string }) =>
        `Of 1,000 students in a week of ordinary talk: about ${of.alerts} alerts, and ${of.watch} messages marked caution. Of 100 short messages in which danger is told it misses ${of.short}; of 100 long texts, ${of.long}.`,
      inForce: 'in force',
      chosen: (name: string, when: string) => `Chosen by ${name} on ${when}.`,
      because: 'Reason:',
      somebody: 'somebody whose name is not known here',
      never: 'Nobody has chosen yet, so messages are read at the balanced point.',
      noStation:
        'The choice is kept at the school’s station, and this console is not connected to one. It cannot be changed from here.',
      notYours: 'Only a clinician or an admin can change it.',
      change: 'Change',
      hint: 'It holds for every message from the next one on, at the whole school. What was read before stays as it was decided.',
      reason: 'Reason',
      reasonHint: 'Kept in the audit log with your name.',
      confirm: 'Change for the whole school',
      saved: 'Saved. It holds from the next message on.',
      weights: {
        label: 'Weights of the signals',
        names: { published: 'as published', refitted: 'refitted' },
        recommended: (name: string) => `${name}, as recommended`,
        line: (name: string, weights: string) => `Weights of the signals: ${name} (${weights}).`,
        same: 'The refitted weights are the published ones so far.',
      },
    },
    title: 'Explain a sentence',
    text: 'Shows how the engine reads a sentence. Nothing is stored and no alert is raised.',
    sentence: 'Sentence',
    explain: 'Explain',
    result: 'Reading',
    matches: 'Matches',
    noMatches: 'No phrase of any category was found.',
    phrase: 'Words',
    category: 'Category',
    meaningLabel: 'Read as',
    confidence: 'Confidence',
    signal: 'Found by',
    foundBy: {
      regex: 'Known phrases',
      semantic: 'Likeness to dangerous sentences',
      clinical: 'How it is meant (second reader)',
      history: 'Last 30 days',
      adapter: 'Added detector',
    },
    reasons: 'Reasons',
    markers: 'Markers',
    sentiment: 'Sentiment',
    versions: 'Versions in use',
    reload: 'Read the files again',
    file: 'File',
    version: 'Version',
    meaning,
    adapter: 'Added detector',
    other: 'no category',
    services: {
      title: 'Where messages are read',
      adapters: 'Added detectors',
      adapterProblem: {
        starting: 'It is starting. Until it is ready, messages are read without it.',
        'not loaded': 'It could not be loaded, so messages are read without it. The module needs to be fixed.',
        ended: 'It stopped and is being restarted. Until it is back, messages are read without it.',
        late: 'Its last answer came too late and did not count.',
        failed: 'It failed on its last message, which was read without it.',
        'unreadable answer': 'Its last answer could not be read and did not count.',
      },
      reply: 'Answers for students',
      replyFrom: (host: string) =>
        `From ${host}: students’ messages are sent to it while the risk decision is made separately. In a crisis, students see only the fixed reply.`,
      replyRests:
        'It failed several times in a row. Students see a fixed sentence, and it will be tried again automatically.',
      clinical: 'How it is meant (second reader), and symptoms',
      local: 'Read on this computer. No message leaves it for this.',
      http: (host: string) =>
        `A service at ${host}. Students’ messages, each with up to three before it, and the sentences explained here are sent there.`,
      sagemaker: (name: string) =>
        `The SageMaker endpoint ${name}. Students’ messages, each with up to three before it, and the sentences explained here are sent there.`,
      raises:
        'It can raise the risk found on this computer, never lower it. Without its answer, the other signals decide.',
      failed: (when: string, why: string) => `It last failed at ${when}: ${why}.`,
      resting: 'It failed several times in a row. Messages do not wait for it; it is tried again every 30 seconds.',
      answered: (when: string) => `It last answered at ${when}.`,
      silent: 'It has not been asked since PsyFlo Console started.',
      why: clinicalWhy,
      semantic: 'Likeness to dangerous sentences',
      builtIn: 'Compared with known phrases on this machine, word by word.',
      embedder: (name: string, dimension: number | null) =>
        `The embedder ${name}${dimension === null ? '' : ` (${dimension} dimensions)`}, on this machine.`,
      preparing: 'It is being loaded and reads the known phrases. Until then they are compared word by word.',
      notLoaded: (why: string) => `It could not be loaded: ${why}. Known phrases are compared word by word.`,
      loadProblem,
      embedderFailed: (when: string, late: boolean) =>
        `It last ${late ? 'was too late' : 'failed'} at ${when}; that message was compared word by word.`,
      embedderRests:
        'It failed several times in a row. Messages do not wait for it; it is tried again every 30 seconds.',
    },
  },
}
