/** A new crisis announces itself at the foot of the window, where nothing gives way to it, and waits to be opened. */
import { useCallback, useState } from 'react'
import type { AlertRow, InboxChange } from '../../shared/views.ts'
import { whyText } from '../alerts/index.ts'
import { Button, studentName, TierShape } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { announcedAfter } from './arrivals.ts'

const text = words.attention.newCrisis

/**
 * New crises that nobody holds, or that were handed to this person, and that they have not opened, the latest first.
 * `chosen`: the alert that is open before them.
 */
export function useNewCrises(
  chosen: string | null,
  me: string,
): {
  crises: readonly AlertRow[]
  arrived: (news: readonly AlertRow[], change: Pick<InboxChange, 'rows' | 'removed'>) => void
} {
  const [crises, setCrises] = useState<readonly AlertRow[]>([])
  const arrived = useCallback(
    (news: readonly AlertRow[], change: Pick<InboxChange, 'rows' | 'removed'>) => {
      setCrises((before) => announcedAfter(before, news, change, me))
    },
    [me],
  )
  const left = crises.filter(({ key }) => key !== chosen)
  // What was opened once is news no more.
  if (left.length < crises.length) setCrises(left)
  return { crises: left, arrived }
}

export function NewCrisisBar({ crises, onOpen }: { crises: readonly AlertRow[]; onOpen: () => void }) {
  const [latest] = crises
  if (!latest) return null
  const [student, why] = [studentName(latest.student), whyText(latest)]
  const sentence = latest.hand_off_to ? text.handed(latest.owner?.name ?? '', student, why) : text.one(student, why)
  return (
    <aside
      aria-label={text.name}
      className="flex items-center gap-2 border-t border-crisis bg-crisis-ground px-3 py-1 text-ink"
    >
      <TierShape tier="crisis" />
      <p className="min-w-0 flex-1 truncate">
        <strong className="font-semibold text-crisis">{sentence}</strong>
        {crises.length > 1 && <span> · {text.more(crises.length - 1)}</span>}
      </p>
      <Button shortcut="newCrisis" onClick={onOpen}>
        {text.open}
      </Button>
    </aside>
  )
}
