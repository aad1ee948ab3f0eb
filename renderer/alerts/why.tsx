/** Why this is an alert: a sentence that says what decided, and the score split into its signals. */
import { signalNames, type Signals } from '../../shared/risk.ts'
import type { AlertDetail, TriggerView } from '../../shared/views.ts'
import { Panel, receivedAgeText, useTicking } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** The trigger that speaks for the alert: the highest score, the latest of equals. */
function worstTrigger(triggers: readonly TriggerView[]): TriggerView | undefined {
  return triggers.reduce<TriggerView | undefined>(
    (worst, trigger) => (!worst || trigger.score >= worst.score ? trigger : worst),
    undefined,
  )
}

export function Why({ alert }: { alert: AlertDetail }) {
  const text = words.alerts.why
  const trigger = worstTrigger(alert.triggers)
  const received = Math.max(alert.received_at, ...alert.triggers.map(({ received_at }) => received_at))
  const latest = useTicking(() => receivedAgeText(alert.last_trigger_at, received, Date.now()))
  // The analysis of a message and its crisis event are one moment.
  const moments = new Set(alert.triggers.map(({ id, message_id }) => message_id ?? id)).size
  const hidden = alert.triggers.reduce((sum, { hidden_patterns }) => sum + hidden_patterns, 0)
  return (
    <Panel title={text.title}>
      <p className="font-semibold">{alert.why.decided}</p>
      {alert.why.found && <p className="mt-1">{alert.why.found}</p>}
      {hidden > 0 && <p className="mt-1 text-small text-ink-faint">{text.hidden(hidden)}</p>}
      {trigger && (
        <>
          <details className="mt-2">
            <summary className="cursor-pointer text-ink-soft">{text.more(trigger.score.toFixed(2))}</summary>
            <div className="mt-2 flex flex-col gap-2">
              <SignalBars signals={trigger.signals} />
              {trigger.operating_point && (
                <p className="text-small text-ink-faint">
                  {text.readBy(words.operatingPoint[trigger.operating_point])}
                </p>
              )}
            </div>
          </details>
          {trigger.degraded.length > 0 && (
            <p className="mt-2 text-ink-soft">
              {text.degraded(trigger.degraded.map((name) => words.signal[name].toLowerCase()).join('; '))}
            </p>
          )}
        </>
      )}
      {moments > 1 && (
        <p className="mt-1 text-small text-ink-faint">
          {text.triggers(moments, latest)} {text.worst}
        </p>
      )}
    </Panel>
  )
}

/** Four small bars with their numbers; a signal that did not arrive has words, not a zero. */
export function SignalBars({ signals }: { signals: Signals | null }) {
  const text = words.alerts.why
  if (!signals) return <p className="text-ink-faint">{text.noSignals}</p>
  return (
    <dl aria-label={text.signals} className="grid gap-y-1">
      {signalNames.map((name) => {
        const value = signals[name] ?? null
        return (
          <div key={name} className="grid grid-cols-[14rem_minmax(3rem,1fr)_auto] items-center gap-2">
            <dt className="text-ink-soft">{words.signal[name]}</dt>
            <dd aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-selected">
              {value !== null && <div className="h-full bg-series" style={{ width: `${value * 100}%` }} />}
            </dd>
            <dd className="min-w-8 text-end">
              {value === null ? <span className="text-small text-ink-faint">{text.missing}</span> : value.toFixed(2)}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
