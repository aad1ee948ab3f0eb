/** The way from an alert to the record of its incident. */
import { goTo } from '../app/index.ts'
import { Button, useKeys } from '../controls/index.ts'
import { words } from '../words/index.ts'

export function RecordLink({ alertKey }: { alertKey: string }) {
  const open = () => goTo('incident', alertKey)
  useKeys({ incidentRecord: open })
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <Button shortcut="incidentRecord" onClick={open}>
        {words.incident.title}
      </Button>
      <span className="text-ink-soft">{words.incident.about}</span>
    </p>
  )
}
