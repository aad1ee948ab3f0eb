/** Who was told of an alert, how that went, and who is next. */
import { use, useState } from 'react'
import type { AlertDetail } from '../../shared/views.ts'
import { fullText, Panel, useTicking } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { EscalatesContext } from './escalates.ts'
import { handOffWaits, isHandOffWaiting, nextText, toldText } from './ladder-text.ts'

const text = words.alerts.ladder

/** As many lines stand there unasked, the latest. */
const mostShown = 8

/** Who is told next and when, and how long an urgent hand-off still waits. Nothing where neither is so. */
export function NextStep({ alert }: { alert: AlertDetail }) {
  const escalates = use(EscalatesContext)
  // What comes after an urgent hand-off is said with it, as long as it waits.
  const next = useTicking(() =>
    isHandOffWaiting(alert, Date.now(), escalates) ? '' : (nextText(alert.ladder, Date.now(), escalates) ?? ''),
  )
  const waits = useTicking(() => handOffWaits(alert, Date.now(), escalates) ?? '')
  return (
    <>
      {waits !== '' && <p className="font-medium">{waits}</p>}
      {next !== '' && <p className="text-ink-soft">{next}</p>}
    </>
  )
}

/** Every step and every delivery, the latest last. */
export function WhoWasTold({ alert: { ladder, state } }: { alert: AlertDetail }) {
  const escalates = use(EscalatesContext)
  const [all, setAll] = useState(false)
  const { told } = ladder
  if (told.length === 0 && state !== 'open') return null
  const shown = all ? told : told.slice(-mostShown)
  const hidden = told.length - shown.length
  return (
    <Panel title={text.title}>
      {told.length === 0 ? (
        <p className="text-ink-soft">{text.none[escalates]}</p>
      ) : (
        <>
          {hidden > 0 && (
            <button
              type="button"
              className="mb-1 min-h-6 rounded text-link underline underline-offset-2"
              onClick={() => setAll(true)}
            >
              {text.more(hidden)}
            </button>
          )}
          <ol className="flex flex-col gap-1">
            {shown.map((each) => (
              <li
                key={`${each.escalated} ${each.id}`}
                title={fullText(each.outcome_at)}
                className={each.escalated ? 'font-medium' : 'ps-3 text-ink-soft'}
              >
                {toldText(each, Date.now())}
              </li>
            ))}
          </ol>
        </>
      )}
    </Panel>
  )
}
