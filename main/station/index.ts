/** The half beside the chat: takes messages in, assesses them, keeps sessions and publishes events. */
export { startStation, type Station, type StationOptions } from './compose.ts'
export { readIntakeSettings } from './intake/index.ts'
export { openStationStore } from '../store/station/index.ts'
