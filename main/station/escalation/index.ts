/**
 * The ladder of the station: who is told of an alert, when, and what comes after.
 *
 * - `steps.ts`      triggers and records as they are kept and read again
 * - `book.ts`       the alerts, reduced in the unit of work in which something is said or done; sets their timers
 * - `runs.ts`       when an alert needs the ladder, and which rungs it then has (pure)
 * - `runner.ts`     looks every second at what is due, notices sleep and set clocks
 * - `fire.ts`       one rung, whose people are settled when it comes
 * - `fire-drill.ts`  the same for a drill, without telling anybody
 * - `tell.ts`       a delivery for each person and way; messages of one minute in one
 * - `send.ts`       messages on their way, each in the hands of one station
 * - `settle.ts`     what became of a delivery; the next rung at once where all have failed
 * - `desktop.ts`    what consoles answer, and those that do not
 * - `promise.ts`    until when somebody has promised something, by the station's clock
 * - `due.ts`        promises whose time has passed
 * - `audit.ts`      whether all of this keeps its times
 * - `other-producers.ts`  crises that others publish to the topic
 * - `own-queue.ts`  that the queue they come by is nobody else's
 * - `wire.ts`       what consoles are told of it
 */
export { createAlertBook, type AlertBook } from './book.ts'
export { desktopOnly, takeAnswer } from './desktop.ts'
export { setDrillTimer } from './fire-drill.ts'
export { followOtherProducers, type NotFollowed } from './other-producers.ts'
export { refuseQueueOfOthers, watchOwnQueue } from './own-queue.ts'
export { startRunner, type Runner } from './runner.ts'
