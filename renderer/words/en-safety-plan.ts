/** Words of the safety plan: the six headings of Stanley and Brown (2012), each with a question one can ask a student. */
import type { SafetyPlanHeading } from '../../shared/student-records.ts'

const heading: Record<SafetyPlanHeading, string> = {
  warning_signs: 'Warning signs',
  coping_strategies: 'Things I can do by myself',
  people_and_places_for_distraction: 'People and places that take my mind off it',
  people_to_ask_for_help: 'People I can ask for help',
  professionals_and_agencies: 'Professionals and services I can contact',
  making_the_environment_safe: 'Making my surroundings safe',
}

const hint: Record<SafetyPlanHeading, string> = {
  warning_signs: 'What do you notice in your thoughts, your mood or what you do when it starts to get bad?',
  coping_strategies: 'What can you do on your own, without calling anyone, that helps the feeling pass?',
  people_and_places_for_distraction: 'Who is good to be around, and where can you go, to think of something else?',
  people_to_ask_for_help: 'Who can you tell that you need help, and how do you reach them?',
  professionals_and_agencies: 'Who at school and outside is there for this, day and night, and at what number?',
  making_the_environment_safe: 'What could you hurt yourself with, and who can keep it away from you?',
}

export const safetyPlan = {
  title: 'Safety plan',
  heading,
  hint,
  none: 'No safety plan yet.',
  noneHint: 'It is written with the student, in the student’s own words.',
  start: 'Start a safety plan',
  edit: 'Edit plan',
  goOn: 'Continue your draft',
  print: 'Print',
  version: (number: number, of: number) => `Version ${number} of ${of}`,
  saved: (by: string, at: string) => `${by}, ${at}`,
  savedOn: (by: string, at: string) => `Saved by ${by}, ${at}`,
  versions: 'Version',
  earlier: 'This is an earlier version.',
  differs: 'differs from the newest version',
  restore: 'Restore this version',
  restoreHint: 'Opens it for editing; saving makes it the newest version, and none is lost.',
  sealed: 'This console was not given the key to this version’s words.',
  empty: 'Nothing written.',
  own: 'In the student’s own words. Leave a heading empty if there is nothing yet.',
  save: 'Save plan',
  saveAs: (number: number) => `Save as version ${number}`,
  savedNow: 'Safety plan saved.',
  close: 'Close and keep the draft',
  discard: 'Discard draft',
  discardSure: 'Discard what you typed?',
  discardYes: 'Yes, discard it',
  discardNo: 'Keep it',
  nothing: 'Write something under at least one heading.',
  changed: (by: string, at: string) => `${by} saved a version ${at} while you were writing.`,
  changedHint:
    'Nothing you typed is lost. Where the two differ, the saved words stand below yours. Saving makes yours the newest version; the other one stays readable.',
  savedWords: (by: string) => `Saved by ${by}:`,
  addToMine: 'Add to mine',
  addToMineOf: (name: string) => `Add to mine: ${name}`,
  printed: (student: string) => `Safety plan of ${student}`,
}
