/** Whether the student is still chatting, and when their session last heard of them. */
import { stillChattingFor } from '../../shared/thresholds.ts'
import type { AlertDetail, AlertSession } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import { Age, useLatest, useTicking } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.alerts.who

export function SessionLine({ alert }: { alert: AlertDetail }) {
  // Messages that change nothing about the alert are heard of here alone.
  const live = useLatest<AlertSession>((on) => trpc.alertSession.watch.subscribe({ key: alert.key }, on), [alert.key])
  const { status, last_message_at } = live ?? alert.session
  const chatting =
    useTicking(() =>
      status !== 'ended' && last_message_at !== null && Date.now() - last_message_at < stillChattingFor ? 'yes' : '',
    ) !== ''
  if (last_message_at === null) return <p className="mt-2 text-ink-soft">{text.noMessage}</p>
  const said = chatting ? text.chatting : status === 'ended' ? text.ended : null
  return (
    <p className="mt-2 text-ink-soft">
      {said !== null && (
        <>
          <strong className={chatting ? 'font-semibold text-ink' : 'font-normal'}>{said}</strong>
          {' · '}
        </>
      )}
      {text.lastMessage} <Age at={last_message_at} />
    </p>
  )
}
