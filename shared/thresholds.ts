/**
 * Where lines are drawn between one alert and another, on time and late, proven and unproven, each once. Durations
 * are milliseconds. Stored alerts are a cache: whoever changes what groups or reopens them raises
 * `projectionsVersion` in main/store/console/projections, so that they are made anew.
 */
import { days, minutes, seconds } from './time.ts'

/** Triggers within this time of an alert's first trigger belong to it. */
export const groupingWindow = minutes(30)
/** A score this much higher than what was acknowledged is heard again, 0–1. */
export const worseByScore = 0.05
/** Default plan of an acknowledgement. */
export const defaultNextAction = 'Contact the student'
export const defaultDueAfter = minutes(15)
/** What is promised of an alert that is held once everything else was done, and until when. */
export const decideNext = 'Decide on the next step, or resolve'
export const decideNextWithin = minutes(30)
/** As far ahead something can be promised: a school year. */
export const furthestDue = days(400)
/** How long what a person did can be taken back by one key. */
export const undoLasts = seconds(10)
/** A little more, for the way from the screen. */
export const undoAcceptedFor = undoLasts + seconds(5)
/** From received to acknowledged. */
export const acknowledgeTarget = minutes(5)

/** What took or waited longer than this says so first, on screen and aloud. */
export const saysLateAfter = minutes(1)
/** From detection to a person notified; a notification after it is titled late. */
export const notifyTarget = minutes(5)
/** So long a console has to say that it has told somebody; after it the ladder goes on. */
export const desktopAnswersWithin = seconds(15)
/** So long an urgent hand-off waits for an answer; after it the ladder goes on. */
export const urgentHandOffWaits = minutes(2)
/** A heartbeat or drill older than this proves nothing about now. */
export const proofLasts = minutes(3)
/** Heartbeats come every minute: so long after a start, or the sleep of the machine, none is missing yet. */
export const firstProofWithin = seconds(75)
/** What could not be sent for this long is said: of events it is an alert of its own. */
export const sendingFailsAfter = minutes(1)
/** A queue that has not answered for this long is no longer connecting: the strip is red. */
export const connectingPatience = seconds(30)
/** What is told of a past was said at least so long ago: what is nearer is said now, and heard. */
export const toldAfter = minutes(10)
/** How far another console's clock may run ahead of ours before its times are not followed. */
export const clockSkew = minutes(1)

/** A console at which nobody was awake for so long says at its start what came meanwhile, and walks through it. */
export const lateStartAfter = minutes(30)
/** What came meanwhile has been received once nothing more comes for a moment, or at the latest after this. */
export const backlogWithin = seconds(10)

/** Who looks at an alert says so for so long, and again before that is over while it is so. */
export const alertViewedLasts = seconds(45)
export const alertViewedRenewed = seconds(30)

/** Nobody sits before a window in which no key and no pointer was used for so long: nobody looks at what is open there. */
export const attendedFor = minutes(5)

/** A student counts as still chatting this long after the last message: the length of a long reply. */
export const stillChattingFor = seconds(120)
/** Sessions of caution stand under “Watch” this long after their last message. */
export const watchWindow = days(2)
/** The caseload shows the highest tier of this time. */
export const recentRisk = days(7)

/** A single key acts only on what has been on screen, or chosen in a list, for so long, in a window that has the focus. */
export const keysActAfter = seconds(1)
/** What took something else's place under the pointer takes no click for so long. */
export const swapGuard = 500
/** Nothing that was shown by the program itself gives way to something else until hands have rested for so long. */
export const handsRestAfter = seconds(5)
