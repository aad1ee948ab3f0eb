import { crisisReply, crisisResourcesSchema, type CrisisResources } from '../../../shared/set-up.ts'
import { readSetting, type Database } from '../../store/console/index.ts'

export const crisisResourcesSetting = 'crisis_resources'

/** What the school has said, else what the detection files say (`standard`), without numbers of its own. */
export function crisisResources(db: Database, standard: string): CrisisResources {
  return kept(db) ?? { text: standard, numbers: [] }
}

/** Whether the school has looked at it. */
export function isReviewed(db: Database): boolean {
  return kept(db) !== null
}

/** What the chat shows a student in a crisis, as it stands now. */
export function replyInCrisis(db: Database, standard: string): string {
  return crisisReply(crisisResources(db, standard))
}

function kept(db: Database): CrisisResources | null {
  const text = readSetting(db, crisisResourcesSetting)
  if (text === undefined) return null
  const read = crisisResourcesSchema.safeParse(JSON.parse(text))
  return read.success ? read.data : null
}
