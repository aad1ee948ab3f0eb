/** Everything a terminal obeys instead of showing it: C0 (but for line break and tab), DEL, C1, and what turns text around. */
// eslint-disable-next-line no-control-regex -- These are what is looked for.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const lineBreaks = /\r\n?|[\u2028\u2029]/g

/** The text as a terminal may be given it: what would move its cursor, change its colors or reverse its order is left out. */
export function printable(text: string): string {
  return text.replace(lineBreaks, '\n').replace(controls, '')
}
