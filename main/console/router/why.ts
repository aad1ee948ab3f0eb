import type { Alert } from '../../../shared/alerts.ts'
import { floorThresholds } from '../../../shared/risk.ts'
import { categoryNames, decidedOnSentences } from '../../../shared/risk-words.ts'
import type { TriggerView } from '../../../shared/views.ts'

/** Why this is an alert: what decided, in one sentence, and what stands behind it. Made of categories and figures alone, so neither needs a reveal. */
export function why(alert: Alert, triggers: readonly TriggerView[]): { decided: string; found: string } {
  const worst = triggers.reduce<TriggerView | null>(
    (found, trigger) => (!found || trigger.score > found.score ? trigger : found),
    null,
  )
  const found = foundIn(alert)
  if (worst === null) return { decided: found, found: '' }
  return { decided: worst.decided_on ? decidedOnSentences[worst.decided_on] : decision(worst), found }
}

function foundIn(alert: Alert): string {
  const named = alert.categories.map((category) => categoryNames[category])
  const subject = alert.about_other ? 'The student spoke of someone else in danger' : 'The student’s words'
  const match =
    named.length > 0
      ? `${alert.about_other ? '' : ' match'}${alert.about_other ? ':' : ''} ${list(named)}`
      : alert.about_other
        ? ''
        : ' raised the alarm as a whole; no listed phrase matched'
  return `${subject}${match}.`
}

/** What decided, of a trigger that does not name the evidence: one of an older station, or of another producer. */
function decision(trigger: TriggerView): string {
  const score = trigger.score.toFixed(2)
  switch (trigger.decided_by) {
    case 'floor':
      return `${foundation(trigger)}, whatever the other signals say (score ${score}).`
    case 'adapter':
      return `Raised by an added detector (score ${score}).`
    case 'consensus':
      return `Decided by all signals together (score ${score}).`
    case null:
      return `The chat gave an overall score of ${score}, without the signals behind it.`
  }
}

/** What the floor stood on: a listed phrase, or the message read as a whole. */
function foundation({ tier, signals }: TriggerView): string {
  // A phrase behind a crisis reaches the floor; beside it a clinical service may have said anything.
  const read = (signals?.regex ?? 1) < floorThresholds.crisis
  if (tier !== 'crisis')
    return 'Decided by this message alone: a person should look at it, though it may be a joke, in the past, or about someone else'
  return read
    ? 'Decided by the wording of the message as a whole: a reading this certain is enough by itself'
    : 'Decided by explicit words: a match this clear is enough by itself'
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
