/** PHQ-9 and GAD-7 item markers of one message: by phrases, with their exact span, and by the fitted reader, with the window. */
import type { Marker, MarkerType } from '../../../shared/estimates.ts'
import { hasI, interpret, namesThirdPerson, subjectBefore, type MessageContext } from '../context/index.ts'
import type { DetectionData, PatternGroup } from '../data/index.ts'
import type { PhraseHit, PhraseMatcher } from '../phrases/index.ts'
import type { Span } from '../text/index.ts'
import { byPlace } from './implied.ts'
import type { ItemReading, MarkerReader } from './reader.ts'

/** Phrases of one item looked at in a message, at most: the longest of them are enough. */
const mostAttempts = 25

/** What finds markers: the phrases' confidence and weights, the compiled phrases, and the fitted reader. */
export interface MarkerParts {
  data: Pick<DetectionData, 'markers' | 'markerModel'>
  matcher: PhraseMatcher
  markerReader: MarkerReader
}

interface Candidate extends Span {
  item: MarkerType
}

/** One marker per item: the longest phrase of it, or else the window in which the reader is sure of it. */
export function findMarkers(parts: MarkerParts, context: MessageContext, hits: readonly PhraseHit[]): Marker[] {
  const readings = new Map(parts.markerReader.read(context.message).map((reading) => [reading.item, reading]))
  const { markers: ofPhrases, discounted } = markersOfPhrases(parts, context, hits, readings)
  const markers = [...ofPhrases]
  // The surest first: what one window says is rarely two things at once.
  const sure = [...readings.values()]
    .filter(({ item, probability }) => probability >= parts.data.markerModel.calibration[item].threshold)
    .sort((a, b) => b.probability - a.probability)
  for (const reading of sure) {
    const { item, from, to } = reading
    if (markers.some(({ marker_type }) => marker_type === item)) continue
    // Where the context rules took the item's own phrase for denied, or for another's, the reader does not overrule them.
    if (discounted.some((phrase) => phrase.item === item && phrase.from >= from && phrase.to <= to)) continue
    const marker = toMarker(context, reading, reading.probability)
    const { threshold } = parts.data.markerModel.calibration[item]
    const isBeside = markers.some(({ start, end }) => start < marker.end && end > marker.start)
    // A phrase that is all there is to read says its own item only.
    if (ofPhrases.some(({ start, end }) => start <= marker.start && end >= marker.end)) continue
    if (isBeside && oddsOf(reading.probability) < oddsOf(threshold) * besideAnother) continue
    if (isOwnWindow(context, reading)) markers.push(marker)
  }
  return markers.sort(byPlace)
}

/** How many times the odds of its threshold the reader asks for where the same words are another item's marker already. */
const besideAnother = 8

const oddsOf = (probability: number): number => probability / (1 - probability)

/** The markers of the phrases, and the phrases that the context rules took for denied, quoted or another's. */
function markersOfPhrases(
  parts: MarkerParts,
  context: MessageContext,
  hits: readonly PhraseHit[],
  readings: ReadonlyMap<MarkerType, ItemReading>,
): { markers: Marker[]; discounted: Candidate[] } {
  const { data, matcher } = parts
  const candidates: Candidate[] = []
  for (const hit of hits) {
    const role = matcher.roleOf(hit)
    if (role.kind === 'marker') candidates.push({ from: hit.from, to: hit.to, item: role.item })
  }
  candidates.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from || (a.item < b.item ? -1 : 1))
  const considered: Candidate[] = []
  const discounted: Candidate[] = []
  const found = new Map<MarkerType, Marker>()
  const attempts = new Map<MarkerType, number>()
  for (const candidate of candidates) {
    const tried = attempts.get(candidate.item) ?? 0
    if (found.has(candidate.item) || tried >= mostAttempts) continue
    attempts.set(candidate.item, tried + 1)
    if (considered.some((longer) => shadows(longer, candidate))) continue
    considered.push(candidate)
    if (!isOwn(context, candidate)) discounted.push(candidate)
    else if (isWhole(context, candidate) || !isDoubted(parts, context, candidate, readings.get(candidate.item)!))
      found.set(candidate.item, toMarker(context, candidate, confidenceOf(data.markers, context, candidate)))
  }
  return { markers: [...found.values()], discounted }
}

/** A strictly longer phrase of another item that holds this one: “tired all the time” is not also sleep. */
function shadows(longer: Candidate, shorter: Candidate): boolean {
  const holds = longer.from <= shorter.from && longer.to >= shorter.to
  return holds && longer.to - longer.from > shorter.to - shorter.from
}

/** How much surer the reader must be to doubt what students say of themselves: odds of doubt over this. */
const ofOneself = 20

/** Whether the reader is all but sure that nothing in the message speaks of the item (“so sad that it was cancelled”). */
function isDoubted(
  { data }: MarkerParts,
  context: MessageContext,
  phrase: Candidate,
  { probability }: ItemReading,
): boolean {
  const isOfOneself = hasI(context, phrase) || subjectBefore(context, phrase.from) === 'self'
  const { doubt } = data.markerModel.calibration[phrase.item]
  return oddsOf(probability) < oddsOf(doubt) / (isOfOneself ? ofOneself : 1)
}

const group: PatternGroup = { name: 'marker', category: 'hopelessness', experiencer: 'subject', explicit: false, past: false, phrases: [] } // prettier-ignore

/** Whether words are the student's own and not negated. */
function isOwn(context: MessageContext, span: Span): boolean {
  const meaning = interpret(context, group, span)?.meaning
  return meaning === 'affirmed' || meaning === 'hypothetical'
}

/** Whether a window is the student's own: it names nobody else, or the student too. */
function isOwnWindow(context: MessageContext, window: Span): boolean {
  return (hasI(context, window) || !namesThirdPerson(context, window)) && isOwn(context, window)
}

function isWhole({ message: { tokens } }: MessageContext, { from, to }: Span): boolean {
  return from === 0 && to === tokens.length - 1
}

function confidenceOf(data: DetectionData['markers'], context: MessageContext, candidate: Candidate): number {
  const base = isWhole(context, candidate) ? data.whole_message : data.within_message
  return Math.min(1, base * data.items[candidate.item].weight)
}

function toMarker({ message: { tokens } }: MessageContext, { from, to, item }: Candidate, confidence: number): Marker {
  return {
    marker_type: item,
    confidence: Math.round(confidence * 10_000) / 10_000,
    start: tokens[from]!.start,
    end: tokens[to]!.end,
  }
}
