import { crisisReply, crisisResourcesSchema, type CrisisResources } from '../../../shared/set-up.ts'
import type { Logger } from '../../platform/ports.ts'
import { readSetting, type Database } from '../../store/console/index.ts'

export const crisisResourcesSetting = 'crisis_resources'

/** What the school has said, else what the detection files say (`standard`), without numbers of its own. */
export function crisisResources(db: Database, standard: string): CrisisResources {
  return kept(db) ?? { text: standard, numbers: [] }
}

/** The numbers of its own that the school gives to students; null = it has not looked at them yet. */
export function ownCrisisNumbers(db: Database): CrisisResources['numbers'] | null {
  return kept(db)?.numbers ?? null
}

/** Whether the school has looked at it. */
export function isReviewed(db: Database): boolean {
  return kept(db) !== null
}

/**
 * What the chat shows a student in a crisis, as it stands now. A record that cannot be read is logged and answered
 * with what the detection files say: nothing that fails here may lose the crisis. The school writes its text in
 * English; in Spanish the text of the detection files stands, followed by the school's own numbers.
 */
export function replyInCrisis(
  db: Database,
  standard: string,
  logger: Logger,
  language: 'english' | 'spanish' = 'english',
): string {
  try {
    const { text, numbers } = crisisResources(db, standard)
    return crisisReply({ text: language === 'english' ? text : standard, numbers })
  } catch (error) {
    logger.error({ error }, 'the school’s own crisis reply cannot be read')
    return standard
  }
}

function kept(db: Database): CrisisResources | null {
  const text = readSetting(db, crisisResourcesSetting)
  const read = crisisResourcesSchema.safeParse(parsed(text))
  return read.success ? read.data : null
}

/** Null where nothing was kept, or where what was kept is damaged. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    return null
  }
}
