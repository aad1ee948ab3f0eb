import { useState } from 'react'
import type { SessionRow } from '../../shared/views.ts'
import { goTo, trpc } from '../app/index.ts'
import { Button, Clock, ErrorNotice, Panel, TierBadge, sentimentText, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.students
const pageSize = 20

/** The student's sessions, newest first. */
export function StudentSessions({ student_hash }: { student_hash: string }) {
  const [limit, setLimit] = useState(pageSize)
  const answer = useQuery<{ total: number; rows: SessionRow[] }>(
    ['student-sessions', student_hash, limit],
    () => trpc.students.sessions.query({ student_hash, offset: 0, limit }),
    { keep: true },
  )
  if (answer.error && !answer.data) return <ErrorNotice inset error={answer.error} onRetry={answer.refetch} />
  const rows = answer.data?.rows ?? []
  return (
    <Panel
      title={text.sessionsTitle}
      aside={answer.data && <span className="text-ink-faint">{text.sessions(answer.data.total)}</span>}
    >
      {answer.data && rows.length === 0 && <p className="text-ink-faint">{text.sessionsEmpty}</p>}
      <ul aria-label={text.sessionsTitle}>
        {rows.map((row) => (
          <li key={row.id} className="border-b last:border-b-0">
            <button
              type="button"
              onClick={() => goTo('sessions', row.id)}
              className="flex w-full flex-wrap items-center gap-x-3 narrow:grid narrow:grid-cols-[9.5rem_6.5rem_5.5rem_7rem_1fr] px-1 py-1.5 text-start hover:bg-hover"
            >
              <Clock at={row.started_at} />
              <TierBadge tier={row.highest_tier} />
              <span className="text-ink-soft">{words.sessions.status[row.status]}</span>
              <span className="text-ink-soft">{words.sessions.messages(row.message_count)}</span>
              <span className="truncate text-ink-faint">{sentimentText(row.sentiment_average, row.highest_tier)}</span>
            </button>
          </li>
        ))}
      </ul>
      {answer.data && rows.length < answer.data.total && (
        <Button className="mt-2" onClick={() => setLimit(Math.min(limit + pageSize, 200))}>
          {text.sessionsMore}
        </Button>
      )}
    </Panel>
  )
}
