/** PHQ-9 and GAD-7 item markers of one message, with the exact span of the words behind each. */
import type { Marker, MarkerType } from '../../shared/estimates.ts'
import type { Compiled } from './compile.ts'
import type { Detection } from './detection.ts'
import type { MessageContext } from './cues.ts'
import { ruleOn } from './meaning.ts'
import type { Hit } from './automaton.ts'

/** Phrases of one item looked at in a message, at most: the longest of them are enough. */
const mostAttempts = 25

interface Candidate extends Hit {
  item: MarkerType
}

/** One marker per item, the longest phrase first; a longer phrase shadows shorter ones inside it, of any item. */
export function findMarkers(
  compiled: Compiled,
  detection: Detection,
  context: MessageContext,
  hits: readonly Hit[],
  masked: (hit: Hit) => boolean,
): Marker[] {
  const candidates: Candidate[] = []
  for (const hit of hits) {
    const meant = compiled.meant(hit)
    if (meant.kind === 'marker' && !masked(hit)) candidates.push({ ...hit, item: meant.item })
  }
  candidates.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from || (a.item < b.item ? -1 : 1))
  const taken: Candidate[] = []
  const found = new Map<MarkerType, Marker>()
  const attempts = new Map<MarkerType, number>()
  for (const candidate of candidates) {
    const tried = attempts.get(candidate.item) ?? 0
    if (found.has(candidate.item) || tried >= mostAttempts) continue
    attempts.set(candidate.item, tried + 1)
    if (taken.some((longer) => shadows(longer, candidate))) continue
    taken.push(candidate)
    if (!countsFor(context, candidate)) continue
    found.set(candidate.item, toMarker(detection, context, candidate))
  }
  return [...found.values()].sort((a, b) => a.start - b.start || (a.marker_type < b.marker_type ? -1 : 1))
}

/** A strictly longer phrase of another item that holds this one: “tired all the time” is not also sleep. */
function shadows(longer: Candidate, shorter: Candidate): boolean {
  const holds = longer.from <= shorter.from && longer.to >= shorter.to
  return holds && longer.to - longer.from > shorter.to - shorter.from
}

const group = { name: 'marker', category: 'hopelessness', speaker: 'subject', explicit: false, past: false, phrases: [] } as const // prettier-ignore

function countsFor(context: MessageContext, { from, to, group: number }: Candidate): boolean {
  const ruled = ruleOn(context, { ...group, phrases: [] }, { from, to, group: number })
  return ruled?.meaning === 'affirmed' || ruled?.meaning === 'hypothetical'
}

function toMarker(
  { markers }: Detection,
  { reading: { words } }: MessageContext,
  { from, to, item }: Candidate,
): Marker {
  const whole = from === 0 && to === words.length - 1
  const base = whole ? markers.whole_message : markers.within_message
  const confidence = Math.min(1, base * markers.items[item].weight)
  return {
    marker_type: item,
    confidence: Math.round(confidence * 10_000) / 10_000,
    start: words[from]!.start,
    end: words[to]!.end,
  }
}
