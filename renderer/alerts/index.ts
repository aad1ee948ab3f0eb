export { AlertsScreen } from './alerts-screen.tsx'
export { arrivalSentence } from './arrived-text.ts'
export { SignalBars } from './why.tsx'
