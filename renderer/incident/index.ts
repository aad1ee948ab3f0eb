export { IncidentScreen } from './incident-screen.tsx'
