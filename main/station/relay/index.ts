export { startRelay } from './relay.ts'
