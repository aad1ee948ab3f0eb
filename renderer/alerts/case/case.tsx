import type { AlertDetail } from '../../../shared/views.ts'
import { Commitments } from './commitments.tsx'
import { Attempts } from './contact-attempts.tsx'
import { GuidedList } from './guided-list.tsx'
import { usePeople } from './people.ts'

/** What acknowledging opens: the steps, who was called, and what was promised. The steps can be read before. */
export function Case({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  // Asked for now: a dialog that names colleagues has them when it opens, and its first field the focus.
  usePeople()
  const begun = alert.acknowledged !== null || alert.commitments.length > 0
  return (
    <>
      <GuidedList alert={alert} refetch={refetch} />
      {begun && (
        <>
          <Commitments alert={alert} refetch={refetch} />
          <Attempts alert={alert} refetch={refetch} />
        </>
      )}
    </>
  )
}
