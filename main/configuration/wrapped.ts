/** Columns of a terminal that nobody has widened. */
const columns = 80

/**
 * Lines broken between words, none longer than a terminal is wide. What follows a flag or a command, two spaces after it,
 * goes on below itself; anything else below the beginning of its line.
 */
export function wrapped(text: string): string {
  return text.split('\n').flatMap(lines).join('\n')
}

function lines(line: string): string[] {
  const named = /^ *\S.*? {2,}(?=\S)/.exec(line)?.[0] ?? /^ */.exec(line)?.[0] ?? ''
  const below = ' '.repeat(named.length)
  const made: string[] = []
  let current = named
  for (const word of line.slice(named.length).split(' ')) {
    const begins = current.length === named.length
    if (!begins && current.length + 1 + word.length > columns) {
      made.push(current)
      current = below + word
    } else current += begins ? word : ` ${word}`
  }
  return [...made, current]
}
