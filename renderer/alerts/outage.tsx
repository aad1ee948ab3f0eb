/** Stands above the inbox while alerts from the chat do not get through: what is listed below is not all there is. */
import type { Outage } from '../../shared/views.ts'
import { whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'

export function OutageNotice({ outage }: { outage: Outage | null }) {
  return (
    <div role="status">
      {outage && (
        <div className="border-b bg-crisis-ground px-3 py-2">
          <p className="font-semibold text-crisis">{words.outage.happened[outage.kind](whenText(outage.since))}</p>
          <p className="text-ink-soft">
            {words.outage.safe} {words.outage.todo[outage.kind]}
          </p>
        </div>
      )}
    </div>
  )
}
