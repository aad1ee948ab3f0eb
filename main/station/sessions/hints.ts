/** Trend notes and suggested resources, kept in step with each message from the rolling window. */
import type { Engine } from '../../analysis/index.ts'
import type { Logger } from '../../platform/ports.ts'
import { summaryInput } from './context.ts'
import type { StoredMessage } from './messages.ts'
import type { Resource, TrackedSession } from './tracking.ts'

export interface Hints {
  notes: string[]
  suggested_resources: Resource[]
}

/** Notes of the window; resources once suggested stay. A failing summary keeps the earlier hints. */
export function hintsAfter(
  engine: Engine,
  logger: Logger,
  session: TrackedSession,
  at: number,
  window: readonly StoredMessage[],
): Hints {
  try {
    const { notes, suggested_resources } = engine.summarize(summaryInput(session, at, window))
    const isNew = (resource: Resource) =>
      !session.suggested_resources.some(({ type, label }) => type === resource.type && label === resource.label)
    return { notes, suggested_resources: [...session.suggested_resources, ...suggested_resources.filter(isNew)] }
  } catch (error) {
    logger.error({ error: error instanceof Error ? error.name : typeof error }, 'session hints failed')
    return { notes: session.notes, suggested_resources: session.suggested_resources }
  }
}
