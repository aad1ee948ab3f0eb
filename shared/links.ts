/** Addresses of alerts, students and incident records: the screen, and what main knows the subject by. */
import { z } from 'zod'

export const linkKindSchema = z.enum(['alerts', 'students', 'incident'])
export type LinkKind = z.infer<typeof linkKindSchema>

export const linkIdSchema = z.string().regex(/^[\w-]{32}$/)

export interface Link {
  kind: LinkKind
  id: string
}

/** The part of an address behind `#`. */
export function fragmentOf({ kind, id }: Link): string {
  return `#/${kind}/${id}`
}

/** The link in an address or its last part, as somebody pasted it; null where there is none. */
export function linkIn(text: string): Link | null {
  const [, kind, id] = /(?:^|#)\/?(alerts|students|incident)\/([\w-]{32})$/.exec(text.trim()) ?? []
  return kind !== undefined && id !== undefined ? { kind: linkKindSchema.parse(kind), id } : null
}
