/** PHQ-9 and GAD-7 item markers of one message, with the exact span of the tokens behind each. */
import type { Marker, MarkerType } from '../../../shared/estimates.ts'
import { interpret, type MessageContext } from '../context/index.ts'
import type { DetectionData, PatternGroup } from '../data/index.ts'
import type { PhraseHit, PhraseMatcher } from '../phrases/index.ts'
import type { Span } from '../text/index.ts'

/** Phrases of one item looked at in a message, at most: the longest of them are enough. */
const mostAttempts = 25

interface Candidate extends Span {
  item: MarkerType
}

/** One marker per item, the longest phrase first; a longer phrase shadows shorter ones inside it, of any item. */
export function findMarkers(
  data: DetectionData['markers'],
  matcher: PhraseMatcher,
  context: MessageContext,
  hits: readonly PhraseHit[],
): Marker[] {
  const candidates: Candidate[] = []
  for (const hit of hits) {
    const role = matcher.roleOf(hit)
    if (role.kind === 'marker') candidates.push({ from: hit.from, to: hit.to, item: role.item })
  }
  candidates.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from || (a.item < b.item ? -1 : 1))
  const considered: Candidate[] = []
  const found = new Map<MarkerType, Marker>()
  const attempts = new Map<MarkerType, number>()
  for (const candidate of candidates) {
    const tried = attempts.get(candidate.item) ?? 0
    if (found.has(candidate.item) || tried >= mostAttempts) continue
    attempts.set(candidate.item, tried + 1)
    if (considered.some((longer) => shadows(longer, candidate))) continue
    considered.push(candidate)
    if (!isOwn(context, candidate)) continue
    found.set(candidate.item, toMarker(data, context, candidate))
  }
  return [...found.values()].sort((a, b) => a.start - b.start || (a.marker_type < b.marker_type ? -1 : 1))
}

/** A strictly longer phrase of another item that holds this one: “tired all the time” is not also sleep. */
function shadows(longer: Candidate, shorter: Candidate): boolean {
  const holds = longer.from <= shorter.from && longer.to >= shorter.to
  return holds && longer.to - longer.from > shorter.to - shorter.from
}

const group: PatternGroup = { name: 'marker', category: 'hopelessness', experiencer: 'subject', explicit: false, past: false, phrases: [] } // prettier-ignore

/** Whether a candidate is the student's own and not negated. */
function isOwn(context: MessageContext, candidate: Candidate): boolean {
  const match = interpret(context, group, candidate)
  return match?.meaning === 'affirmed' || match?.meaning === 'hypothetical'
}

function toMarker(
  { whole_message, within_message, items }: DetectionData['markers'],
  { message: { tokens } }: MessageContext,
  { from, to, item }: Candidate,
): Marker {
  const whole = from === 0 && to === tokens.length - 1
  const base = whole ? whole_message : within_message
  const confidence = Math.min(1, base * items[item].weight)
  return {
    marker_type: item,
    confidence: Math.round(confidence * 10_000) / 10_000,
    start: tokens[from]!.start,
    end: tokens[to]!.end,
  }
}
