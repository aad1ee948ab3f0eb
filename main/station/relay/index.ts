export { recordRoutes } from './record-routes.ts'
export { relayAction } from './relay-action.ts'
export { relayViewed } from './relay-viewed.ts'
export { keepAndQueueOne, startRelay, type Followed } from './relay.ts'
