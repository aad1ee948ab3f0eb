/** The summary of a session: length, sentiment, risk, resources, notes. */
import type { ReactNode } from 'react'
import { recoveryNote, sentimentBand } from '../../shared/assessment.ts'
import { markerNames, type MarkerType } from '../../shared/estimates.ts'
import type { SessionSummary } from '../../shared/events.ts'
import { opensAlert, riskTiers } from '../../shared/risk.ts'
import type { SessionView } from '../../shared/views.ts'
import { Button, EmptyState, TierBadge, TierShape, lengthText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { hasEnded } from './session-state.ts'
import { safeLink } from './safe-link.ts'

const text = words.sessions

export function SummaryColumn({ view, onJump }: { view: SessionView; onJump: (sequence: number) => void }) {
  return (
    <section aria-label={text.summary} tabIndex={0} className="ring-inside h-full overflow-y-auto bg-surface">
      <header className="border-b px-3 py-2">
        <h2 className="text-base font-semibold">{text.summary}</h2>
        <p className="text-small text-ink-faint">{text.estimateNotice}</p>
      </header>
      {view.summary ? (
        <Summary summary={view.summary} onJump={onJump} />
      ) : (
        <EmptyState title={hasEnded(view) ? text.summaryMissing : text.summaryWaiting} />
      )}
      {Object.values(view.metadata).some(Boolean) && (
        <Part title={text.metadata}>
          {[view.metadata.channel, view.metadata.device, view.metadata.locale].filter(Boolean).join(' · ')}
        </Part>
      )}
    </section>
  )
}

function Summary({ summary, onJump }: { summary: SessionSummary; onJump: (sequence: number) => void }) {
  const { sentiment, risk } = summary
  const raised = opensAlert(risk.highest_tier)
  // A station of an older version may still send it.
  const notes = summary.notes.filter((note) => !(raised && note === recoveryNote))
  return (
    <>
      <dl className="grid grid-cols-2 border-b">
        <Figure name={text.duration}>{lengthText(summary.duration_seconds * 1000)}</Figure>
        <Figure name={text.messageCount}>{summary.message_count}</Figure>
      </dl>
      <Part title={text.sentimentTitle}>
        <Sentiment sentiment={sentiment} raised={raised} onJump={onJump} />
      </Part>
      <Part title={text.highest}>
        <TierBadge tier={risk.highest_tier} />
        <h4 className="mt-2 text-small text-ink-faint">{text.tierCounts}</h4>
        <ul className="flex flex-wrap gap-x-4">
          {[...riskTiers].reverse().map((tier) => (
            <li key={tier} className="inline-flex items-center gap-1.5">
              <TierShape tier={tier} size={10} /> {words.tier[tier]} {risk.tier_counts[tier]}
            </li>
          ))}
        </ul>
        <h4 className="mt-2 text-small text-ink-faint">{text.flaggedCategories}</h4>
        <p>
          {risk.flagged_keywords.length > 0
            ? words.common.list(risk.flagged_keywords.map(flaggedWord))
            : text.noFlagged}
        </p>
      </Part>
      <Part title={text.resources}>
        {summary.suggested_resources.length === 0 && text.noResources}
        <ul>
          {summary.suggested_resources.map((resource, index) => (
            <li key={index}>
              <Resource label={resource.label} link={safeLink(resource.link)} />
            </li>
          ))}
        </ul>
      </Part>
      <Part title={text.notes}>
        {notes.length === 0 && text.noNotes}
        <ul className="list-disc ps-4">
          {notes.map((note, index) => (
            <li key={index}>{note}</li>
          ))}
        </ul>
      </Part>
    </>
  )
}

/** Where an alert was raised, neither figure nor trend: both would calm whoever reads them. */
function Sentiment(props: {
  sentiment: SessionSummary['sentiment']
  raised: boolean
  onJump: (sequence: number) => void
}) {
  const { sentiment } = props
  if (props.raised) return <p className="text-ink-soft">{text.sentimentWithheld}</p>
  const value = (number: number) => text.sentiment(number, text.band[sentimentBand(number)])
  return (
    <>
      <p>
        {text.average} {value(sentiment.average)}, {text.trend[sentiment.trend]}
      </p>
      <SentimentBar {...sentiment.bands} />
      <p className="text-ink-soft">
        {text.bands(sentiment.bands.positive, sentiment.bands.neutral, sentiment.bands.negative)}
      </p>
      {sentiment.top.length > 0 && (
        <>
          <h4 className="mt-2 text-small text-ink-faint">{text.top}</h4>
          <ul>
            {sentiment.top.map((turn, index) => (
              <li key={index}>
                <Button
                  look="quiet"
                  className="-ms-2.5 text-start whitespace-normal!"
                  onClick={() => props.onJump(turn.sequence)}
                >
                  {text.topTurn(turn.sequence, value(turn.sentiment))}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Resource({ label, link }: { label: string; link: string | null }) {
  if (link === null) return <span>{label}</span>
  return (
    <a href={link} target="_blank" rel="noreferrer" className="text-link underline underline-offset-2">
      {label}
    </a>
  )
}

/** Three lengths side by side; their numbers stand below in words. */
function SentimentBar({ positive, neutral, negative }: SessionSummary['sentiment']['bands']) {
  const all = positive + neutral + negative
  if (all === 0) return null
  const part = (count: number) => ({ flexGrow: count, flexBasis: 0 })
  return (
    <div aria-hidden="true" className="my-1 flex h-2 gap-0.5 overflow-hidden rounded">
      {positive > 0 && <span style={part(positive)} className="border border-series-soft bg-surface" />}
      {neutral > 0 && <span style={part(neutral)} className="bg-line-strong" />}
      {negative > 0 && <span style={part(negative)} className="bg-series" />}
    </div>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="px-3 py-2">
      <dt className="text-small text-ink-faint">{name}</dt>
      <dd className="text-medium font-semibold">{children}</dd>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-b px-3 py-2 break-words last:border-b-0">
      <h3 className="text-small text-ink-faint">{title}</h3>
      {children}
    </div>
  )
}

/** Categories and item names come as the system's own words, from some senders with spaces. */
function flaggedWord(name: string): string {
  return (
    (words.category as Record<string, string>)[name.replaceAll(' ', '_')] ??
    markerNames[name as MarkerType] ??
    name.replaceAll('_', ' ')
  )
}
