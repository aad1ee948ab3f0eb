/** Tests at a district console: its own process, on queues in another one. */
import { test as base, expect } from '@playwright/test'
import { startConsoleProcess, type ConsoleProcess } from './console-process.ts'
import { startQueueServer, type QueueServer } from './queue-server.ts'
import { signedInEnv } from './sign-in.ts'

export interface District {
  queue: QueueServer
  console: ConsoleProcess
  /** What it was started with. */
  env: Record<string, string>
}

export const test = base.extend<{ person: Parameters<typeof signedInEnv>[0]; district: District }>({
  /** Who is signed in; a counselor where nobody is named. */
  person: [{}, { option: true }],
  district: async ({ person }, use) => {
    const queue = await startQueueServer()
    try {
      const env = { ...queue.env, ...(await signedInEnv(person)) }
      const console = await startConsoleProcess({ env })
      try {
        await use({ queue, console, env })
      } finally {
        await console.stop()
      }
    } finally {
      await queue.stop()
    }
  },
})
export { expect }

const nobodyListens = 'http://127.0.0.1:9'
/** Settings of a district console whose queues nothing answers. */
export const silentQueues = {
  PSYFLO_EVENTS_QUEUE_URL: `${nobodyListens}/000000000000/events`,
  PSYFLO_ACKS_QUEUE_URL: `${nobodyListens}/000000000000/acks`,
  AWS_ENDPOINT_URL_SQS: nobodyListens,
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
}
