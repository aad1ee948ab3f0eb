/** Longest text that is read: what stands further back changes nothing about it. */
const longest = 500
/** Whoever writes these does not take it. */
const negations = /\b(?:no|not|cannot|can.?t|don.?t|won.?t|nobody|never|wrong|unable)\b/i
/** The word, whatever stands between it and a number, the number, and what is left of the line. */
const written = /^["'“”‘’(*]*ack(?:nowledged?)?(?![a-z])[\s#:.,;!"'’”)*-]*(\d{1,4})?(?!\d)(.*)$/i

/**
 * What somebody answers to a text: “ACK” (`number` null = the most urgent), “ack 2”, “ACK 1.”, “Acknowledged #3, on my
 * way”. Null for everything else: two numbers, a “not”, another word. What stands in further lines is a quotation or a
 * signature of the telephone, and is left alone.
 */
export function readAck(text: string): { number: number | null } | null {
  const [line = ''] = text
    .slice(0, longest)
    .normalize('NFKC')
    .trim()
    .split(/[\r\n]/)
  const found = written.exec(line)
  if (!found) return null
  const [, digits, rest = ''] = found
  if (/\d/.test(rest) || negations.test(rest)) return null
  return { number: digits === undefined ? null : Number(digits) }
}
