import type { AlertDetail } from '../../../shared/views.ts'
import { offerUndo, trpc } from '../../app/index.ts'
import { studentName } from '../../controls/index.ts'
import { words } from '../../words/index.ts'

/**
 * What follows every action about an alert: it is said with the student’s name, can be taken back for a while, and the
 * alert is asked for again. `did('Step done')` takes the answer of the call.
 */
export function useDid(
  { key, student }: Pick<AlertDetail, 'key' | 'student'>,
  refetch: () => void,
): (what: string) => (recorded: { ack_id: string }) => void {
  return (what) =>
    ({ ack_id }) => {
      offerUndo({
        said: words.case.did(what, studentName(student)),
        undo: async () => {
          await trpc.alerts.withdraw.mutate({ key, record: ack_id })
          refetch()
        },
      })
      refetch()
    }
}
