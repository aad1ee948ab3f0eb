/** Trend notes and suggested resources of a session, kept in step with each message from the rolling buffer. */
import type { Engine } from '../../analysis/index.ts'
import type { Logger } from '../../platform/ports.ts'
import type { Resource, StoredMessage, StoredSession } from '../../store/station/index.ts'
import { summaryInput } from './context.ts'
import { nameOfError } from './error-name.ts'

export type NotesAndResources = Pick<StoredSession, 'notes' | 'suggested_resources'>

/** Notes of the buffer; resources once suggested stay. A failing summary leaves them as they were. */
export function notesAndResourcesAfter(
  engine: Engine,
  logger: Logger,
  session: StoredSession,
  at: number,
  buffer: readonly StoredMessage[],
): NotesAndResources {
  try {
    const { notes, suggested_resources } = engine.summarize(summaryInput(session, at, buffer))
    const isNew = (resource: Resource) =>
      !session.suggested_resources.some(({ type, label }) => type === resource.type && label === resource.label)
    return { notes, suggested_resources: [...session.suggested_resources, ...suggested_resources.filter(isNew)] }
  } catch (error) {
    logger.error({ error: nameOfError(error) }, 'notes and resources of a session could not be brought up to date')
    return { notes: session.notes, suggested_resources: session.suggested_resources }
  }
}
