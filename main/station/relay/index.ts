export { startRelay, type Relay } from './relay.ts'
