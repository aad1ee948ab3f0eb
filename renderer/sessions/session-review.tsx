/** The review of one session: transcript, markers, summary. */
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import type { SessionView, TranscriptMessage } from '../../shared/views.ts'
import { Columns, goTo, trpc } from '../app/index.ts'
import {
  Button,
  Clock,
  ErrorNotice,
  StudentName,
  Tabs,
  TierBadge,
  queryClient,
  useMedia,
  usePages,
  useQuery,
  useSubscription,
  type Pages,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Markers } from './markers.tsx'
import { sessionState } from './session-state.ts'
import { SummaryColumn } from './summary.tsx'
import { Transcript, type Target } from './transcript.tsx'

const text = words.sessions
type Column = 'transcript' | 'markers' | 'summary'

export function SessionReview({ id, onBack }: { id: string; onBack: () => void }) {
  const session = useQuery<SessionView>(['session', id], () => trpc.sessions.get.query({ id }))
  const messages = useMessages(id)
  useSubscription<{ at: number }>((on) => trpc.sessions.changes.subscribe({ id }, on), session.refetch, [id])
  useWhenChanged(session.data?.message_count, messages.refresh)
  const [target, setTarget] = useState<Target | null>(null)
  const [tab, setTab] = useState<Column>('transcript')
  const sideBySide = useMedia('(min-width: 56rem)')

  const heading = <Header view={session.data} onBack={onBack} />
  if (session.error && !session.data)
    return (
      <div className="p-3">
        <Button look="quiet" onClick={onBack}>
          ← {text.back}
        </Button>
        <ErrorNotice inset error={session.error} onRetry={session.refetch} />
      </div>
    )
  if (!session.data) return heading
  const view = session.data
  const jump = (message_id: string, sequence: number) => {
    setTarget({ message_id, sequence, asked: performance.now() })
    setTab('transcript')
  }
  const columns: Record<Column, ReactNode> = {
    transcript: <Transcript view={view} messages={messages} target={target} />,
    markers: <Markers view={view} rows={messages} onJump={jump} />,
    summary: <SummaryColumn view={view} onJump={(sequence) => jump('', sequence)} />,
  }
  return (
    <section aria-label={text.review} className="flex h-full flex-col">
      {heading}
      <div className="flex min-h-0 flex-1 flex-col">
        {sideBySide ? (
          <Columns
            name="session-review"
            columns={[
              { id: 'transcript', size: 48, min: '22rem', content: columns.transcript },
              { id: 'markers', size: 24, min: '13rem', content: columns.markers },
              { id: 'summary', size: 28, min: '14rem', content: columns.summary },
            ]}
          />
        ) : (
          <Tabs
            label={text.review}
            tabs={(['transcript', 'markers', 'summary'] as const).map((id) => ({ id, label: text[id] }))}
            chosen={tab}
            onChoose={setTab}
            panelClass="flex min-h-0 flex-1 flex-col"
          >
            {columns[tab]}
          </Tabs>
        )}
      </div>
    </section>
  )
}

/**
 * The messages of one reading. What was read is held while the review is open, so that moving about in it
 * is one reading; then it is forgotten, and opening it again is another.
 */
function useMessages(id: string): Pages<TranscriptMessage> {
  const reading = useId()
  const key = useMemo(() => ['messages', id, reading], [id, reading])
  useEffect(() => () => queryClient.removeQueries({ queryKey: key }), [key])
  return usePages<TranscriptMessage>(
    key,
    (offset, limit, signal) => trpc.sessions.messages.query({ id, offset, limit }, { signal }),
    { remembered: Infinity },
  )
}

/** Reading a transcript is recorded, so it is asked again only when there is a new message. */
function useWhenChanged(count: number | undefined, act: () => void): void {
  const before = useRef(count)
  useEffect(() => {
    if (before.current !== undefined && count !== before.current) act()
    before.current = count
  }, [count, act])
}

function Header({ view, onBack }: { view: SessionView | undefined; onBack: () => void }) {
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface px-3 py-2">
      <Button look="quiet" onClick={onBack} className="-ms-2">
        ← {text.back}
      </Button>
      {view ? (
        <>
          <h1 className="text-medium">
            <StudentName student={view.student} more />
          </h1>
          <TierBadge tier={view.highest_tier} />
          <span className="text-ink-soft">
            {sessionState(view)} · {text.started} <Clock at={view.started_at} /> · {text.messages(view.message_count)}
          </span>
          <Button className="ms-auto" onClick={() => goTo('students', view.student.student_hash)}>
            {text.openStudent}
          </Button>
        </>
      ) : (
        <p className="text-ink-faint">{text.loading}</p>
      )}
    </header>
  )
}
