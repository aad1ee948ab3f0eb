import { seconds } from '../../shared/time.ts'
import type { Clock } from './ports.ts'

const patience = seconds(5)
const largest = 64 * 1024

/**
 * Reads short public texts at https addresses. What it answers with rejects where there is none, it is too long, or it does
 * not come within 5 s.
 */
export function publicTexts(clock: Pick<Clock, 'after'>): (url: string) => Promise<string> {
  return async (url) => {
    const late = new AbortController()
    const cancel = clock.after(patience, () => late.abort())
    try {
      const response = await fetch(url, { redirect: 'error', signal: late.signal })
      if (!response.ok) throw new Error(`answered ${response.status}`)
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of response.body ?? []) {
        size += chunk.byteLength
        if (size > largest) throw new Error('too long')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString('utf8')
    } finally {
      cancel()
      // Unread bodies hold their connection.
      late.abort()
    }
  }
}
