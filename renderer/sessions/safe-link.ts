const schemes: ReadonlySet<string> = new Set(['https:', 'http:', 'tel:', 'sms:', 'mailto:'])

/** The link of a resource when it is one a person may follow; null for anything that could run. */
export function safeLink(link: string | undefined): string | null {
  if (link === undefined || !URL.canParse(link)) return null
  return schemes.has(new URL(link).protocol) ? link : null
}
