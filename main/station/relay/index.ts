export { recordRoutes } from './record-routes.ts'
export { relayViewed } from './relay-viewed.ts'
export { startRelay } from './relay.ts'
