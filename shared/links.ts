/** Addresses of alerts and students: the screen, and what main knows the subject by. */
import { z } from 'zod'

export const linkKindSchema = z.enum(['alerts', 'students'])
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
  const [, kind, id] = /(?:^|#)\/?(alerts|students)\/([\w-]{32})$/.exec(text.trim()) ?? []
  return kind !== undefined && id !== undefined ? { kind: linkKindSchema.parse(kind), id } : null
}
