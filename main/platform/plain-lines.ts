import type { DestinationStream } from 'pino'
import { z } from 'zod'
import { minutes } from '../../shared/time.ts'

/** How long the same line is not said again on a terminal; the log file has every one. */
const silence = minutes(10)
const lineSchema = z.looseObject({ level: z.number(), time: z.iso.datetime(), msg: z.string().default('') })

/**
 * Makes of each line of JSON one for people, “15:11:04 Warning: the queue does not answer (TimeoutError).”, in the
 * machine's own zone. Fields come as `withoutPrivate` leaves them; where something was thrown is for the log file.
 */
export function plainLines(terminal: DestinationStream): DestinationStream {
  const said = new Map<string, number>()
  return {
    write(line) {
      const { level, time, msg, ...fields } = lineSchema.parse(JSON.parse(line))
      const details = detailsOf(fields)
      const sentence = `${level >= 50 ? 'Error' : level >= 40 ? 'Warning' : 'Note'}: ${msg}${details.length > 0 ? ` (${details.join(', ')})` : ''}.`
      const at = Date.parse(time)
      if (at - (said.get(sentence) ?? -Infinity) < silence) return
      for (const [old, when] of said) if (at - when >= silence) said.delete(old)
      said.set(sentence, at)
      terminal.write(`${new Date(at).toLocaleTimeString('en-US', { hourCycle: 'h23' })} ${sentence}\n`)
    },
  }
}

function detailsOf(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null && 'error' in value) {
      const { error, code } = value as { error?: unknown; code?: unknown }
      return [error, code].filter((each) => typeof each === 'string')
    }
    if (typeof value === 'boolean' || typeof value === 'number') return [`${name.replaceAll('_', ' ')} ${value}`]
    return typeof value === 'string' && value !== '[removed]' ? [`${name.replaceAll('_', ' ')} ${value}`] : []
  })
}
