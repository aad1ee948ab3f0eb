/** Who did what, when, and how far the word of it has travelled. */
import type { ActionView, AlertRow } from '../../shared/views.ts'
import { goTo } from '../app/index.ts'
import { Age, Clock, fullText, Panel, TierBadge, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { holderText, whyText } from './row-text.ts'

const text = words.alerts.history

/** “A. Rivera acknowledged 10:16. Next: call home by 10:45.” */
export function actionSentence(action: ActionView): string {
  const at = whenText(action.at)
  const by = action.by_name
  const next = action.next_action
    ? ` ${text.next(action.next_action, action.due_at === null ? null : whenText(action.due_at))}`
    : ''
  switch (action.kind) {
    case 'acknowledged':
      return text.acknowledged(by, at) + next
    case 'taken_over':
      return text.took(by, at) + next
    case 'handed_off':
      return text.handed(by, action.to_name ?? '', at)
    case 'hand_off_accepted':
      return text.accepted(by, at)
    case 'noted':
      return text.noted(by, at)
    case 'reopened':
      return action.reason === 'due time passed' ? text.reopenedByClock(at) : text.reopened(by, at)
    case 'corrected':
      return text.planned(by, at) + next
    case 'resolved':
      return text.resolved(by, at, action.disposition ? words.alerts.disposition[action.disposition].toLowerCase() : '')
    case 'seen':
      return text.seen(by, at)
  }
}

export function History({ actions }: { actions: ActionView[] }) {
  return (
    <Panel title={text.title}>
      {actions.length === 0 ? (
        <p className="text-ink-soft">{text.none}</p>
      ) : (
        <ol className="flex flex-col gap-2">
          {actions.map((action) => (
            <li key={action.id} title={fullText(action.at)}>
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span>{actionSentence(action)}</span>
                <Travelled action={action} />
              </p>
              {action.note && (
                <p className="border-s-2 ps-2 break-words whitespace-pre-wrap text-ink-soft">{action.note}</p>
              )}
              {!action.applied && <p className="text-small text-ink-faint">{text.notApplied}</p>}
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
                  <Clock at={row.opened_at} />
                  <span className="text-ink-faint">
                    (<Age at={row.opened_at} />)
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
