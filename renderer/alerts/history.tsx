/** Who did what, when, and how far the word of it has travelled. */
import type { ActionView, AlertDetail, AlertRow } from '../../shared/views.ts'
import { goTo, unappliedText, useMay, useMe } from '../app/index.ts'
import { Clock, ReceivedAge, fullText, Panel, TierBadge, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { actionSentence } from './action-sentence.ts'
import { CorrectNote } from './case/index.ts'
import { correctable, historyRows, type HistoryRow } from './history-rows.ts'
import { holderText, whyText } from './row-text.ts'

const text = words.alerts.history

export function History({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  const me = useMe().person.id
  const mayAct = useMay('alerts.act')
  const rows = historyRows(alert.actions)
  return (
    <Panel title={text.title}>
      {rows.length === 0 ? (
        <p className="text-ink-soft">{text.none}</p>
      ) : (
        <ol className="flex flex-col gap-2">
          {rows.map((row) => {
            const stands = mayAct ? correctable(row, me) : null
            return (
              <li key={row.action.id} title={fullText(row.action.at)}>
                <Row row={row} />
                {stands !== null && <CorrectNote alert={alert} note={row.action} stands={stands} refetch={refetch} />}
              </li>
            )
          })}
        </ol>
      )}
      {mayAct && <p className="mt-2 text-small text-ink-faint">{words.case.history.noUndo}</p>}
    </Panel>
  )
}

function Row({ row: { action, corrections, undoneBy } }: { row: HistoryRow }) {
  const undone = action.withdrawn_at
  const unapplied = undone === null ? unappliedText(action) : null
  return (
    <>
      <p className="grid grid-cols-[1fr_auto] items-baseline gap-x-3">
        <span>
          {undone === null ? (
            actionSentence(action)
          ) : (
            <>
              <s>{actionSentence(action)}</s> {words.case.history.undone(whenText(undone))}
            </>
          )}
        </span>
        <Travelled action={undoneBy ?? action} />
      </p>
      {action.note && <Note struck={undone !== null || corrections.length > 0} text={action.note} />}
      {action.kind === 'resolved' && action.reason && (
        <p className="break-words text-ink-soft">{words.case.history.reason(action.reason)}</p>
      )}
      {corrections.map((correction) => (
        <div key={correction.id}>
          <p className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 text-ink-soft">
            <span>{words.case.history.corrected(correction.by_name, whenText(correction.at))}</span>
            <Travelled action={correction} />
          </p>
          {correction.note && <Note struck={false} text={correction.note} />}
        </div>
      ))}
      {unapplied !== null && <p className="text-small text-ink-soft">{unapplied}</p>}
      {[action, ...corrections, ...(undoneBy ? [undoneBy] : [])].map(
        ({ id, delivery, delivery_error }) =>
          delivery_error &&
          delivery === 'recorded' && (
            <p key={id} className="text-small text-ink-soft">
              {text.failed(delivery_error)}
            </p>
          ),
      )}
    </>
  )
}

/** What was written; struck where it no longer counts, which words beside it say as well. */
function Note({ struck, text: note }: { struck: boolean; text: string }) {
  return (
    <p className="border-s-2 ps-2 break-words whitespace-pre-wrap text-ink-soft">{struck ? <s>{note}</s> : note}</p>
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
