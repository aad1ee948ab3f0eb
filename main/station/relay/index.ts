export { startStation, type Station } from './relay.ts'
