export { recordRoutes } from './record-routes.ts'
export { startRelay } from './relay.ts'
