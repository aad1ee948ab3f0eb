export { AlertsScreen } from './alerts-screen.tsx'
export { applyInboxChange } from './inbox-cache.ts'
export { arrivalSentence } from './arrived-text.ts'
export { SignalBars } from './why.tsx'
