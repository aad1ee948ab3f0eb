/** Words of what arrives while a person is at work, and of what waits for them to choose. */
import { plural } from '../../shared/numbers.ts'

export const attention = {
  chooseFirst: 'Choose an alert first: press j or click a row.',
  justChanged: 'Nothing was done: this came on screen a moment ago. Read it, then press the key again.',
  clickAgain: 'Nothing was done: this changed under the pointer. Look again, then click.',
  shown: 'Shown because it is the most urgent. Press j or click it to choose it.',
  /** A dialog about a student. */
  about: (title: string, student: string) => `${title} · ${student}`,
  /** What was done, and about whom. */
  did: (what: string, student: string) => `${what}: ${student}`,
  newCrisis: {
    name: 'New crisis',
    one: (student: string, why: string) => `New crisis: ${student} · ${why}`,
    handed: (by: string, student: string, why: string) => `Handed to you by ${by}: ${student} · ${why}`,
    more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
    open: 'Open',
  },
  draft: {
    note: (student: string) => `Kept as a draft: ${student}. Press n to continue.`,
    kept: (student: string) => `Kept as a draft: ${student}. Open the form again to continue.`,
    unfinished: 'Unfinished note, kept as a draft',
    discard: 'Discard draft',
  },
  sound: {
    offer: 'Turn on sound',
    heldBack: 'no sound until you click or press a key',
  },
}
