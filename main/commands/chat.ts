/** A small chat in the terminal, against a running desk or station: say something, and see what becomes of it. */
import { clearLine, cursorTo } from 'node:readline'
import { createInterface, type Interface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ConsoleError } from '../../shared/errors.ts'
import {
  converse,
  findTarget,
  intakeClient,
  jsonScreen,
  targetUsage,
  terminalScreen,
  type Said,
} from '../chat/index.ts'
import { UsageError } from '../configuration/index.ts'
import { systemClock } from '../platform/clock.ts'
import { inLines } from '../platform/personal-error.ts'
import { systemRandomness } from '../platform/randomness.ts'

const usage = `npm run chat [-- OPTIONS]

Chats with a running desk or station. What you type is treated as a student's words: danger in it raises
a real alert. Ctrl-D or /end ends the session and prints its summary. Nothing you type is written to
any file.

  --user ID        id of the student (default: asks for one; invents one if no one can be asked)
${targetUsage}
  --plain          leave out the line with tier and score under each message
  --json           one JSON object per line, in ({"content": "…"} or {"end": true}) and out
  --help           show this text

Exit code: 0 everything was delivered and the session ended, 1 something was not, 2 misused.`

/** Times a message without an answer is sent where nobody watches; about a minute. A person ends it with Ctrl-C. */
const triesUnwatched = 8

function readArguments(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        user: { type: 'string' },
        url: { type: 'string' },
        key: { type: 'string' },
        'data-dir': { type: 'string' },
        plain: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.user !== undefined && !isUser(values.user))
      throw new UsageError('--user needs the id of a student: 1 to 200 characters.')
    return values
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(error instanceof Error ? (error.message.split('. To specify')[0] ?? '') : 'Unknown flag')
  }
}

const isUser = (text: string): boolean => text.trim().length > 0 && text.trim().length <= 200

/** Asks who speaks; an empty line takes the invented student. Null where the terminal was closed instead. */
async function askUser(terminal: Interface, invented: string): Promise<string | null> {
  const closed = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)))
  for (;;) {
    // In this order: a question to a terminal that is closed by now is refused at once.
    const typed = await Promise.race([closed, terminal.question(`Id of the student (Enter for ${invented}): `)])
    if (typed === null) return null
    if (typed.trim() === '') return invented
    if (isUser(typed)) return typed.trim()
    console.log('An id can have at most 200 characters.')
  }
}

/** What is typed, line by line, to the end of the input or `/end`; `prompt` hears when a line is begun and when it is there. */
async function* typed(lines: AsyncIterator<string>, prompt: (open: boolean) => void): AsyncGenerator<Said> {
  for (;;) {
    prompt(true)
    const { value, done } = await lines.next()
    prompt(false)
    if (done || value.trim() === '/end') return
    if (value.trim() !== '') yield { content: value }
  }
}

const scriptedSchema = z.union([
  z.object({ content: z.string().refine((text) => text.trim() !== '') }),
  z.object({ end: z.literal(true) }),
])

/** What a script says, one JSON object a line. A line that is none is named by its number, never by what it holds. */
async function* scripted(lines: AsyncIterator<string>): AsyncGenerator<Said> {
  for (let number = 1; ; number++) {
    const { value, done } = await lines.next()
    if (done) return
    if (value.trim() === '') continue
    const line = scriptedSchema.safeParse(parseJson(value))
    if (!line.success) yield { problem: `Line ${number} is neither {"content": "…"} nor {"end": true}.` }
    else if ('end' in line.data) return
    else yield { content: line.data.content }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const options = readArguments(argv)
  if (options.help) {
    console.log(usage)
    return 0
  }
  const target = findTarget(options, process.env)
  // Somebody types and reads here; where what is shown goes into a file, the terminal echoes by itself.
  const watched = !options.json && process.stdin.isTTY && process.stdout.isTTY
  const terminal = createInterface({
    input: process.stdin,
    ...(watched ? { output: process.stdout, prompt: 'You: ' } : {}),
    terminal: watched,
    crlfDelay: Infinity,
  })
  // From now on, so that no line is missed while the session is being opened.
  const lines = terminal[Symbol.asyncIterator]()
  const stopping = new AbortController()
  const stop = () => {
    // Where even the end of the session takes too long.
    if (stopping.signal.aborted && watched) process.exit(1)
    stopping.abort()
    terminal.close()
  }
  terminal.on('SIGINT', stop)
  /** Ctrl-D may come while an answer is awaited: there is nothing to prompt on any more, and the session is still to be ended. */
  let closed = false
  terminal.once('close', () => {
    closed = true
    // What follows does not stand beside the last question.
    if (watched) console.log()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

  /** Whether the last line on the terminal is one that is being typed. */
  let prompting = false
  const prompt = (open: boolean) => {
    prompting = watched && open && !closed
    if (prompting) terminal.prompt()
  }
  const write = (text: string) => {
    if (!prompting || closed || stopping.signal.aborted) return console.log(text)
    // What comes in between stands above the line that is being typed.
    cursorTo(process.stdout, 0)
    clearLine(process.stdout, 0)
    console.log(text)
    terminal.prompt(true)
  }
  const colors = process.stdout.isTTY && !process.env.NO_COLOR
  const width = Math.min(process.stdout.columns || 80, 100)
  const screen = options.json ? jsonScreen(write) : terminalScreen({ write, colors, plain: options.plain, width })
  try {
    const invented = `trial-${systemRandomness.bytes(2).toString('hex')}`
    const user = options.user?.trim() ?? (watched ? await askUser(terminal, invented) : invented)
    if (user === null) return 0
    if (watched) console.log('What you type is treated as a student’s words. Ctrl-D or /end ends the session.\n')
    const client = intakeClient({
      target,
      clock: systemClock,
      signal: stopping.signal,
      tries: watched ? Infinity : triesUnwatched,
      onWaiting: (waiting) => screen.waiting(waiting),
    })
    const said = options.json ? scripted(lines) : typed(lines, prompt)
    const talking = converse(said, {
      client,
      user_id: user,
      screen,
      clock: systemClock,
      randomness: systemRandomness,
      signal: stopping.signal,
    })
    return (await talking) ? 0 : 1
  } finally {
    // Standard input still open would keep a finished chat from ending.
    terminal.close()
  }
}

// Whoever reads may close the pipe; the session is ended all the same.
process.stdout.on('error', () => undefined)
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`)
    process.exit(2)
  }
  // Sentences for people; whatever else it is, its name without the text it may hold.
  process.stderr.write(
    error instanceof ConsoleError
      ? inLines(error)
      : `The chat failed (${error instanceof Error ? error.name : typeof error}).\n`,
  )
  process.exit(1)
}
