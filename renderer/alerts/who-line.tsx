/** Student, where they are and the first call, in view while the rest of an alert is scrolled. */
import type { AlertDetail } from '../../shared/views.ts'
import { Button, StudentName } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { CallLink, nameOf } from './contact-panel.tsx'
import { firstCall } from './first-call.ts'
import { useWhereNow } from './where-now.tsx'

const text = words.alerts.contacts

/** On a narrow window it stands at the lower edge, under the thumb. `onAll` shows the whole of the contacts. */
export function WhoLine({ alert, onAll }: { alert: AlertDetail; onAll: () => void }) {
  const where = useWhereNow(alert)
  const { guardian, emergency } = firstCall(alert.contacts)
  return (
    <div
      role="group"
      aria-label={text.bar}
      className="sticky top-0 z-10 -mx-3 -mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-1.5 max-narrow:top-auto max-narrow:bottom-0 max-narrow:order-last max-narrow:mt-0 max-narrow:-mb-3 max-narrow:border-t max-narrow:border-b-0"
    >
      <p className="min-w-0 basis-full">
        <strong className="font-semibold">
          <StudentName student={alert.student} />
        </strong>
        {where !== null && <span className="text-ink-soft"> · {where}</span>}
      </p>
      {guardian && (
        <CallLink whom={nameOf(guardian.of)} phone={guardian.phone}>
          <span className="max-w-56 truncate">
            {nameOf(guardian.of)}
            {guardian.of.relation !== '' && ` (${guardian.of.relation})`}
          </span>
        </CallLink>
      )}
      {emergency && (
        <CallLink whom={emergency.name} phone={emergency.phone}>
          {emergency.phone.written}
        </CallLink>
      )}
      <Button className="max-narrow:min-h-11" onClick={onAll}>
        {text.all}
      </Button>
    </div>
  )
}
