import { use } from 'react'
import type { AlertDetail } from '../../../shared/views.ts'
import { offerUndo, trpc } from '../../app/index.ts'
import { studentName } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { StandingContext } from '../use-standing.ts'

/**
 * What follows every action about an alert: it is said with the student’s name, can be taken back for a while, and the
 * alert is asked for again. `did('Step done')` takes the answer of the call; `unmark` takes back what was marked with it.
 */
export function useDid(
  { key, student }: Pick<AlertDetail, 'key' | 'student'>,
  refetch: () => void,
): (what: string) => (recorded: { ack_id: string; unmark?: (() => Promise<unknown>) | null }) => void {
  const standing = use(StandingContext)
  return (what) =>
    ({ ack_id, unmark }) => {
      // What changes on screen is the person’s own doing, as it is when they take it back.
      standing.acted()
      offerUndo({
        said: words.case.did(what, studentName(student)),
        undo: async () => {
          await trpc.alerts.withdraw.mutate({ key, record: ack_id })
          await unmark?.()
          standing.acted()
          refetch()
        },
      })
      refetch()
    }
}
