/**
 * PHQ-9 and GAD-7 as *estimates from conversation*: items, bands and change marks. Never a score of
 * the questionnaire. Sources: PHQ-9, Kroenke, Spitzer & Williams 2001; GAD-7, Spitzer et al. 2006.
 */
import { z } from 'zod'

export const instruments = ['phq9', 'gad7'] as const
export type Instrument = (typeof instruments)[number]

export const markerTypes = [
  'PHQ9_ITEM_1', 'PHQ9_ITEM_2', 'PHQ9_ITEM_3', 'PHQ9_ITEM_4', 'PHQ9_ITEM_5', 'PHQ9_ITEM_6',
  'PHQ9_ITEM_7', 'PHQ9_ITEM_8', 'PHQ9_ITEM_9',
  'GAD7_ITEM_1', 'GAD7_ITEM_2', 'GAD7_ITEM_3', 'GAD7_ITEM_4', 'GAD7_ITEM_5', 'GAD7_ITEM_6',
  'GAD7_ITEM_7',
] as const // prettier-ignore
export const markerTypeSchema = z.enum(markerTypes)
export type MarkerType = z.infer<typeof markerTypeSchema>

/** Short item names as clinicians know them. */
export const markerNames: Record<MarkerType, string> = {
  PHQ9_ITEM_1: 'Interest or pleasure',
  PHQ9_ITEM_2: 'Low mood',
  PHQ9_ITEM_3: 'Sleep',
  PHQ9_ITEM_4: 'Fatigue',
  PHQ9_ITEM_5: 'Appetite',
  PHQ9_ITEM_6: 'Self-worth',
  PHQ9_ITEM_7: 'Concentration',
  PHQ9_ITEM_8: 'Psychomotor change',
  PHQ9_ITEM_9: 'Thoughts of death or self-harm',
  GAD7_ITEM_1: 'Nervous or on edge',
  GAD7_ITEM_2: 'Uncontrollable worry',
  GAD7_ITEM_3: 'Worry about many things',
  GAD7_ITEM_4: 'Trouble relaxing',
  GAD7_ITEM_5: 'Restlessness',
  GAD7_ITEM_6: 'Irritability',
  GAD7_ITEM_7: 'Fear that something awful will happen',
}

export function instrumentOf(marker: MarkerType): Instrument {
  return marker.startsWith('PHQ9') ? 'phq9' : 'gad7'
}

export function itemsOf(instrument: Instrument): MarkerType[] {
  return markerTypes.filter((marker) => instrumentOf(marker) === instrument)
}

export interface SeverityBand {
  /** Lowest sum in the band, inclusive. */
  from: number
  /** Highest sum in the band, inclusive. */
  to: number
  name: string
}

/** Severity bands of the summed score: PHQ-9 0–27, GAD-7 0–21. */
export const severityBands: Record<Instrument, readonly SeverityBand[]> = {
  phq9: [
    { from: 0, to: 4, name: 'minimal' },
    { from: 5, to: 9, name: 'mild' },
    { from: 10, to: 14, name: 'moderate' },
    { from: 15, to: 19, name: 'moderately severe' },
    { from: 20, to: 27, name: 'severe' },
  ],
  gad7: [
    { from: 0, to: 4, name: 'minimal' },
    { from: 5, to: 9, name: 'mild' },
    { from: 10, to: 14, name: 'moderate' },
    { from: 15, to: 21, name: 'severe' },
  ],
}

export const highestEstimate: Record<Instrument, number> = { phq9: 27, gad7: 21 }

/** Name of the severity band a sum falls in. Throws a RangeError outside the instrument's range. */
export function severityBand(instrument: Instrument, sum: number): string {
  const band = severityBands[instrument].find(({ from, to }) => sum >= from && sum <= to)
  if (!band) throw new RangeError(`${instrument} estimate out of range: ${sum}`)
  return band.name
}

/** Reliable change: the smallest difference larger than measurement error. */
export const reliableChange: Record<Instrument, number> = { phq9: 6, gad7: 4 }
/** The customary clinically important difference. */
export const clinicallyImportantDifference: Record<Instrument, number> = { phq9: 5, gad7: 4 }

/** A marker found in one student message. `start`/`end` are UTF-16 offsets into the original text. */
export const markerSchema = z.object({
  marker_type: markerTypeSchema,
  confidence: z.number().min(0).max(1),
  start: z.number().int().min(0),
  end: z.number().int().min(0),
})
export type Marker = z.infer<typeof markerSchema>
