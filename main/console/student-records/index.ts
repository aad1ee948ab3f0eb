/** What is kept about a student beyond any one alert: safety plans and follow-ups. */
export { createStudentRecords, type KeepingAboutStudent, type StudentRecords } from './student-records.ts'
