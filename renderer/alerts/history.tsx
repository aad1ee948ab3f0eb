/** Who did what, when, and how far the word of it has travelled. */
import type { ActionView, AlertRow } from '../../shared/views.ts'
import { goTo } from '../app/index.ts'
import { Clock, ReceivedAge, fullText, Panel, TierBadge } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { actionSentence } from './action-sentence.ts'
import { holderText, whyText } from './row-text.ts'

const text = words.alerts.history

export function History({ actions }: { actions: ActionView[] }) {
  return (
    <Panel title={text.title}>
      {actions.length === 0 ? (
        <p className="text-ink-soft">{text.none}</p>
      ) : (
        <ol className="flex flex-col gap-2">
          {actions.map((action) => (
            <li key={action.id} title={fullText(action.at)}>
              <p className="grid grid-cols-[1fr_auto] items-baseline gap-x-3">
                <span>{actionSentence(action)}</span>
                <Travelled action={action} />
              </p>
              {action.note && (
                <p className="border-s-2 ps-2 break-words whitespace-pre-wrap text-ink-soft">{action.note}</p>
              )}
              {!action.applied && (
                <p className="text-small text-ink-faint">{action.refused ? text.refused : text.notApplied}</p>
              )}
              {action.delivery_error && action.delivery === 'recorded' && (
                <p className="text-small text-ink-soft">{text.failed(action.delivery_error)}</p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** recorded → sent → confirmed: a filling mark and the word. */
function Travelled({ action }: { action: ActionView }) {
  if (action.kind === 'seen') return null
  const filled = { recorded: 1, sent: 2, confirmed: 3, received: 3 }[action.delivery]
  return (
    <span className="inline-flex items-center gap-1.5 text-small text-ink-faint">
      <svg viewBox="0 0 18 6" width="18" height="6" aria-hidden="true">
        {[0, 1, 2].map((step) => (
          <circle
            key={step}
            cx={3 + step * 6}
            cy="3"
            r="2"
            fill={step < filled ? 'currentColor' : 'none'}
            stroke="currentColor"
            strokeWidth="1"
          />
        ))}
      </svg>
      {text.delivery[action.delivery]}
    </span>
  )
}

export function EarlierAlerts({ rows }: { rows: AlertRow[] }) {
  return (
    <Panel title={words.alerts.earlier.title}>
      {rows.length === 0 ? (
        <p className="text-ink-soft">{words.alerts.earlier.none}</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {rows.map((row) => (
            <li key={row.key}>
              <a
                href="#/alerts"
                onClick={(event) => {
                  event.preventDefault()
                  goTo('alerts', row.key)
                }}
                className="-mx-2 block rounded px-2 py-1 hover:bg-hover"
              >
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <TierBadge tier={row.tier} />
                  <Clock at={Math.min(row.opened_at, row.received_at)} />
                  <span className="text-ink-faint">
                    (<ReceivedAge at={row.opened_at} received_at={row.received_at} />)
                  </span>
                </span>
                <span className="block text-ink-soft">
                  {[whyText(row), holderText(row, '', Date.now())].filter(Boolean).join(' · ')}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
