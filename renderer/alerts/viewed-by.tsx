import { useViewers } from './viewers.ts'

/** Who else is looking at an alert, where it is open: at the end of a line, so that nothing below moves; said when it changes. */
export function ViewedBy({ alertKey }: { alertKey: string }) {
  const text = useViewers(alertKey)
  return (
    <>
      {text !== '' && ' · '}
      <span role="status" className="font-semibold text-ink">
        {text}
      </span>
    </>
  )
}

/** The same on a row of the inbox, behind what else its last line says. */
export function ViewedInRow({ alertKey }: { alertKey: string }) {
  const text = useViewers(alertKey)
  return text === '' ? null : <span className="text-ink"> · {text}</span>
}
