/** The markers of a session with their evidence, in the order they were said. */
import { Virtuoso } from 'react-virtuoso'
import { instrumentOf, markerNames } from '../../shared/estimates.ts'
import type { SessionView, TranscriptMessage } from '../../shared/views.ts'
import { Button, EmptyState, clockText, type Pages } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { spanText } from './highlight.ts'

const text = words.sessions
type MarkerView = SessionView['markers'][number]

export function Markers(props: {
  view: SessionView
  rows: Pages<TranscriptMessage>
  onJump: (message_id: string, sequence: number) => void
}) {
  const { markers } = props.view
  return (
    <section aria-label={text.markers} className="flex h-full min-h-0 flex-col">
      <header className="border-b px-3 py-2">
        <h2 className="text-base font-semibold">
          {text.markers} <span className="font-normal text-ink-faint">{markers.length}</span>
        </h2>
        <p className="text-small text-ink-faint">{text.markersNote}</p>
      </header>
      {markers.length === 0 ? (
        <EmptyState title={text.markersEmpty} />
      ) : (
        <Virtuoso
          className="ring-inside min-h-0 flex-1"
          tabIndex={0}
          role="group"
          aria-label={text.markers}
          data={markers}
          computeItemKey={(_, marker) => marker.id}
          itemContent={(_, marker) => <MarkerItem marker={marker} rows={props.rows} onJump={props.onJump} />}
        />
      )}
    </section>
  )
}

function MarkerItem(props: {
  marker: MarkerView
  rows: Pages<TranscriptMessage>
  onJump: (message_id: string, sequence: number) => void
}) {
  const { marker, rows } = props
  const message = rows.rowAt(rows.findIndex((row) => row.message_id === marker.message_id))
  const said = message?.text ? spanText(message.text, marker) : null
  return (
    <div className="border-b px-3 py-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-2">
        <span className="font-semibold">{markerNames[marker.marker_type]}</span>
        <span className="text-small text-ink-faint">
          {words.charts.estimate.short[instrumentOf(marker.marker_type)]} · {text.confidence(marker.confidence)}
        </span>
      </p>
      {said !== null && (
        <p className="break-words">
          <q>{said}</q>
        </p>
      )}
      {message?.text === null && (
        <p className="text-ink-faint">{message.unopened ? text.unopenedText : text.noEvidenceText}</p>
      )}
      <Button look="quiet" className="-ms-2.5" onClick={() => props.onJump(marker.message_id, marker.sequence)}>
        {text.jump(marker.sequence)} <span className="font-normal text-ink-faint">{clockText(marker.at)}</span>
      </Button>
    </div>
  )
}
