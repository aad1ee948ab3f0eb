export { AlertsScreen } from './alerts-screen.tsx'
export { alertSentence } from './row-text.ts'
export { SignalBars } from './why.tsx'
