export { StudentsScreen } from './students-screen.tsx'
