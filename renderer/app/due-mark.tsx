import { useState } from 'react'
import { dueNotification } from '../../shared/notification-words.ts'
import type { DueCounts } from '../../shared/views.ts'
import { useSubscription } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { announce } from './announcer.tsx'
import { notify } from './notifications.ts'
import { trpc } from './wire.ts'

const text = words.due

/**
 * How much of what the person promised is overdue or due today: filled once something is overdue, and said in words
 * to assistive technology. What becomes due is told to the desktop.
 */
export function DueMark() {
  const [counts, setCounts] = useState<DueCounts | null>(null)
  useSubscription<DueCounts>(
    (on) => trpc.studentRecords.due.subscribe(undefined, on),
    (next) => {
      setCounts(next)
      if (next.news === 0) return
      notify(dueNotification, 'due')
      announce(text.news(next.news))
    },
    [],
  )
  const due = counts ? counts.overdue + counts.today : 0
  if (!counts || due === 0) return null
  const look = counts.overdue > 0 ? 'bg-ink text-on-ink border-ink' : 'border-line-strong'
  return (
    <span
      className={`rounded-full border px-1.5 text-small font-semibold narrow:absolute narrow:end-1.5 narrow:top-1 wide:static wide:ms-auto ${look}`}
    >
      <span aria-hidden="true">{due > 99 ? '99+' : due}</span>
      <span className="sr-only">{text.counts(counts.overdue, counts.today)}</span>
    </span>
  )
}
