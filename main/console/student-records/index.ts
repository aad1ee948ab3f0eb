/** What is kept about a student beyond any one alert: safety plans and follow-ups; and what is due of it. */
export { createDueReminder, type DueReminder } from './due-reminder.ts'
export { concernsPromises, lookWhenDue } from './promises.ts'
export { createStudentRecords, type KeepingAboutStudent, type StudentRecords } from './student-records.ts'
