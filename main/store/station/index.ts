/** The station's database: sessions, messages, markers, the outbox of events, what the station knows of itself. */
export * from '../index.ts'
export { isAnswering, openStationDatabase } from './open.ts'
export { deleteConfirmed, hasUnconfirmed, sendUnconfirmedAgain, waitingEvents } from './events.ts'
export { insertMarkers, markersOf } from './markers.ts'
export {
  findByClientId,
  forgetContent,
  insertMessage,
  latestMessages,
  messagesOf,
  nextSequence,
  type MessageRole,
  type RefusedAs,
  type StoredMessage,
} from './messages.ts'
export {
  countMessage,
  countSessions,
  findSession,
  findSummary,
  hasSessions,
  insertSession,
  listSessions,
  markEnded,
  type Resource,
  type SessionKey,
  type SessionMetadata,
  type SessionStatus,
  type StoredSession,
} from './sessions.ts'
export { findSalt, insertSalt, stationId } from './settings.ts'
