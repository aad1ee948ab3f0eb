import type { ActionView } from '../../shared/views.ts'

/** One action of the history, with what its author said later of it. */
export interface HistoryRow {
  action: ActionView
  /** What its note says by now, the latest last. */
  corrections: ActionView[]
  /** The record by which it was taken back. */
  undoneBy: ActionView | null
}

/**
 * The history row by row: a correction stands beside the note that it corrects, and a taking back beside what was taken
 * back. What changed nothing, or speaks of something that is not here, is a row of its own.
 */
export function historyRows(actions: readonly ActionView[]): HistoryRow[] {
  const rows = new Map<string, HistoryRow>(
    actions.map((action) => [action.id, { action, corrections: [], undoneBy: null }]),
  )
  const beside = new Set<string>()
  for (const action of actions) {
    const corrected = stands(action) && action.corrects !== null ? rows.get(action.corrects) : undefined
    const undone = action.applied && action.withdraws !== null ? rows.get(action.withdraws) : undefined
    if (corrected) corrected.corrections.push(action)
    else if (undone && undone.action.withdrawn_at !== null) undone.undoneBy = action
    else continue
    beside.add(action.id)
  }
  return actions.flatMap(({ id }) => (beside.has(id) ? [] : (rows.get(id) ?? [])))
}

/** Whether it counts: it was neither refused nor taken back. */
function stands({ applied, withdrawn_at }: ActionView): boolean {
  return applied && withdrawn_at === null
}

/** What a note says by now; null where there is none that can be corrected by this person. */
export function correctable({ action, corrections }: HistoryRow, me: string): string | null {
  if (!stands(action) || action.by !== me || action.note === null || action.kind === 'corrected') return null
  return corrections.at(-1)?.note ?? action.note
}
