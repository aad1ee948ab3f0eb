/** One message: who said it when, its words with flagged phrases marked in place, what was decided and why. */
import { memo } from 'react'
import { markerNames, type Marker } from '../../shared/estimates.ts'
import type { FlaggedSpan } from '../../shared/events.ts'
import { decidedText } from '../../shared/risk-words.ts'
import type { TranscriptMessage } from '../../shared/views.ts'
import { TierBadge, TierShape, clockText, fullText, sentimentText, tierColor } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { segments, spanText } from './highlight.ts'
import { joinedSpans, spanCounts } from './span-look.ts'

const text = words.sessions

type Piece = { start: number; end: number; flagged?: FlaggedSpan; marker?: Marker }

export const Message = memo(function Message({
  message,
  index,
  chosen,
}: {
  message: TranscriptMessage
  index: number
  chosen: boolean
}) {
  const student = message.role === 'student'
  const notable = message.tier !== 'ok' || message.flagged.length > 0
  return (
    <article
      data-message={index}
      tabIndex={-1}
      aria-label={text.messageName(text.role[message.role], message.sequence)}
      className={`grid grid-cols-[1.5rem_1fr] border-b px-2 py-2 ${student ? '' : 'bg-ground'} ${chosen ? 'bg-selected' : ''}`}
    >
      <div className="pt-1">{notable && <TierShape tier={message.tier} size={14} />}</div>
      <div className={`min-w-0 ${student ? '' : 'border-s-2 border-line-strong ps-3'}`}>
        <p className="flex flex-wrap items-center gap-x-3 text-small text-ink-faint">
          <span className={student ? 'text-base font-semibold text-ink' : 'text-base text-ink-soft italic'}>
            {text.role[message.role]}
          </span>
          <time dateTime={new Date(message.at).toISOString()} title={fullText(message.at)}>
            {clockText(message.at, true)}
          </time>
          {(student || message.tier !== 'ok') && (
            <>
              <TierBadge tier={message.tier} />
              <span>{text.score(message.score)}</span>
              {message.about_other && <span className="font-semibold">{text.aboutOther}</span>}
              <span>{sentimentText(message.sentiment, message.tier)}</span>
            </>
          )}
        </p>
        {message.tier !== 'ok' && (
          <p className="mt-0.5 font-medium">{decidedText(message.decided_by, message.decided_on)}</p>
        )}
        <p
          className={`mt-0.5 max-w-[46rem] text-medium break-words whitespace-pre-wrap ${student ? '' : 'text-ink-soft'}`}
        >
          {message.text === null ? (
            <span className="text-base text-ink-faint">
              {message.unopened ? words.common.unopened[message.unopened] : text.noText}
            </span>
          ) : (
            <MarkedText message={message} text={message.text} />
          )}
        </p>
        <Reasons message={message} />
      </div>
    </article>
  )
})

/** The words with every flagged phrase underlined and every marker's words shaded. */
function MarkedText({ message, text: said }: { message: TranscriptMessage; text: string }) {
  const pieces: Piece[] = [
    ...message.flagged.map((flagged) => ({ start: flagged.start, end: flagged.end, flagged })),
    ...message.markers.map((marker) => ({ start: marker.start, end: marker.end, marker })),
  ]
  return segments(said, pieces).map((segment) => {
    const flagged = segment.spans.flatMap((span) => span.flagged ?? [])
    const markers = segment.spans.flatMap((span) => span.marker ?? [])
    if (flagged.length === 0 && markers.length === 0) return segment.text
    const title = [...flagged.map(flaggedWords), ...markers.map((marker) => markerNames[marker.marker_type])].join('; ')
    const counts = flagged.some(spanCounts)
    return (
      <mark
        key={segment.start}
        title={title}
        className="text-inherit underline-offset-3"
        style={{
          background: counts
            ? `var(--color-${message.tier}-ground)`
            : markers.length > 0
              ? 'var(--color-selected)'
              : 'none',
          textDecoration:
            flagged.length === 0
              ? 'none'
              : counts
                ? `underline 2px ${tierColor[message.tier]}`
                : 'underline 1px dotted var(--color-ink-faint)',
        }}
      >
        {segment.text}
      </mark>
    )
  })
}

/** What each flagged phrase is and what the context rules made of it, then the markers. */
function Reasons({ message }: { message: TranscriptMessage }) {
  if (message.flagged.length === 0 && message.markers.length === 0) return null
  const said = message.text
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-small text-ink-soft">
      {joinedSpans(message.flagged).map((span, index) => (
        <li key={`f${index}`} className="inline-flex items-center gap-1">
          <TierShape tier={spanCounts(span) ? message.tier : 'ok'} size={9} />
          {said !== null && <q className="max-w-56 truncate">{spanText(said, span)}</q>}
          <span>{flaggedWords(span)}</span>
        </li>
      ))}
      {message.markers.map((marker, index) => (
        <li key={`m${index}`} className="rounded bg-selected px-1.5">
          {markerNames[marker.marker_type]} {marker.confidence.toFixed(2)}
        </li>
      ))}
    </ul>
  )
}

function flaggedWords(span: FlaggedSpan): string {
  const category = (words.category as Record<string, string>)[span.category] ?? span.category.replaceAll('_', ' ')
  const meaning = span.meaning === undefined || span.meaning === 'affirmed' ? null : span.meaning
  if (meaning === null) return category
  return `${category}: ${meaning}${spanCounts(span) ? '' : `, ${text.setAside}`}`
}
