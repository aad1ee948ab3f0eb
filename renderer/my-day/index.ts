export { MyDayScreen } from './my-day-screen.tsx'
