/** Labelled rows, one JSON object a line. */
import { z } from 'zod'
import { markerTypeSchema, type MarkerType } from '../../shared/estimates.ts'
import { probabilitySchema, riskTierSchema } from '../../shared/risk.ts'
import type { ConversationMessage, DatedMarker } from '../analysis/index.ts'
import type { Truth } from './figures.ts'

const markerSchema = z.object({ marker_type: markerTypeSchema, confidence: probabilitySchema, at: z.number() })
/** What was said before: a bare string is the student's, and so is all that no assistant said. */
const earlierSchema = z
  .union([
    z.string().transform((text) => ({ text, role: 'student' })),
    z.object({ text: z.string(), role: z.string().default('student') }),
    z.object({ content: z.string(), role: z.string().default('student') }).transform(({ content, role }) => ({ text: content, role })),
  ])
  .transform(({ text, role }): ConversationMessage => ({ text, role: role === 'assistant' ? 'assistant' : 'student' })) // prettier-ignore
/** An entry of no known form is left out: it must not lose the row beside it. */
const unknownEntry = z.unknown().transform(() => null)

const rowSchema = z
  .object({
    id: z.coerce.string().optional(),
    text: z.string(),
    label: z.union([z.literal(0), z.literal(1)]).optional(),
    tier: riskTierSchema.optional(),
    slice: z.string().optional(),
    markers: z.array(markerTypeSchema).optional(),
    history: z.array(z.union([markerSchema, earlierSchema, unknownEntry])).optional(),
    at: z.number().optional(),
  })
  .refine(
    ({ label, tier, markers }) => label !== undefined || tier !== undefined || markers !== undefined,
    'has neither label nor tier nor markers',
  )

export interface Row {
  id: string
  text: string
  slice: string
  /** Null where only markers are expected. */
  truth: Truth | null
  /** All item markers that the text should carry; null where nobody said. */
  markers: MarkerType[] | null
  at: number
  /** Markers of earlier days. */
  history: DatedMarker[]
  /** Messages of the same session before this one, oldest first. */
  earlier: ConversationMessage[]
}

/** A row that cannot be read; the message names the line and the field, never the text. */
export class RowError extends Error {}

/** Reads rows from JSONL. Throws RowError at the first line that is none. */
export function readRows(text: string): Row[] {
  return text.split('\n').flatMap((line, index): Row[] => (line.trim() === '' ? [] : [readRow(line, index + 1)]))
}

function readRow(line: string, number: number): Row {
  let data: unknown
  try {
    data = JSON.parse(line)
  } catch {
    throw new RowError(`line ${number} is not JSON`)
  }
  const parsed = rowSchema.safeParse(data)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new RowError(`line ${number}: ${issue.path.join('.') || 'the row'} ${issue.message}`)
  }
  const { id, text, label, tier, slice, markers, history, at } = parsed.data
  const truth: Truth | null = tier !== undefined ? { tier } : label !== undefined ? { label } : null
  const told = (history ?? []).filter((each) => each !== null)
  return {
    id: id ?? `line-${number}`,
    text,
    slice: slice ?? 'all',
    truth,
    markers: markers ?? null,
    at: at ?? 0,
    history: told.filter((each) => 'marker_type' in each),
    earlier: told.filter((each) => 'text' in each),
  }
}
