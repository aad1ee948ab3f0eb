/** The transcript: only messages in sight are drawn; a jump leads to one of them. */
import { useEffect, useRef } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { SessionView, TranscriptMessage } from '../../shared/views.ts'
import { EmptyState, ErrorNotice, type Pages } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Message } from './message.tsx'

const text = words.sessions

/** The message to go to; `asked` makes the same jump possible again. */
export interface Target {
  message_id: string
  sequence: number
  asked: number
}

export function Transcript(props: { view: SessionView; messages: Pages<TranscriptMessage>; target: Target | null }) {
  const { view, messages: rows, target } = props
  const { total, error } = rows
  const list = useRef<VirtuosoHandle>(null)
  const holder = useRef<HTMLElement>(null)
  const chosen = target ? positionOf(rows, target) : -1

  useEffect(() => {
    if (!target || chosen < 0) return
    list.current?.scrollToIndex({ index: chosen, align: 'center' })
    const timer = setTimeout(
      () => holder.current?.querySelector<HTMLElement>(`[data-message="${chosen}"]`)?.focus({ preventScroll: true }),
      60,
    )
    return () => clearTimeout(timer)
    // The same target is jumped to again only when it is asked for again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [target?.asked])

  return (
    <section ref={holder} aria-label={text.transcript} className="flex h-full min-h-0 flex-col bg-surface">
      <p className="px-3 py-1 text-small text-ink-faint">{text.recorded}</p>
      {error && <ErrorNotice inset error={error} onRetry={rows.refresh} />}
      {!view.transcript_available && (total ?? 0) > 0 && (
        <p className="border-b bg-ground px-3 py-2 text-ink-soft">{text.noTranscript}</p>
      )}
      {total === 0 && !error && <EmptyState title={text.noMessages} />}
      {total !== null && total > 0 && (
        <Virtuoso
          ref={list}
          className="ring-inside min-h-0 flex-1"
          tabIndex={0}
          role="group"
          aria-label={text.transcript}
          totalCount={total}
          rangeChanged={({ startIndex, endIndex }) => rows.show(startIndex, endIndex)}
          increaseViewportBy={300}
          itemContent={(index) => {
            const message = rows.rowAt(index)
            return message ? (
              <Message message={message} index={index} chosen={index === chosen} />
            ) : (
              <div className="h-20 border-b" />
            )
          }}
          components={{ Footer: Legend }}
        />
      )}
    </section>
  )
}

function Legend() {
  return <p className="px-3 py-2 text-small text-ink-faint">{text.legend}</p>
}

/** Sequence numbers usually are positions; the held rows know better. */
function positionOf(rows: Pages<TranscriptMessage>, target: Target): number {
  const held = rows.findIndex((row) => row.message_id === target.message_id || row.sequence === target.sequence)
  return held >= 0 ? held : Math.min(target.sequence, (rows.total ?? 1) - 1)
}
