import { Check, Circle } from 'lucide-react'
import type { SetUpChecklist } from '../../shared/views.ts'
import { goTo, trpc, useMay, useMe } from '../app/index.ts'
import { Button, Panel, useQuery, type Answer } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.setUp.checklist

/** What is done of the set-up. Asked on a desk only, by those who may do it. */
export function useChecklist(): Answer<SetUpChecklist> {
  const { desk } = useMe()
  const enabled = useMay('desk.manage') && desk
  return useQuery<SetUpChecklist>(['desk', 'checklist'], () => trpc.desk.checklist.query(), { enabled })
}

/** Where each step is done. */
const tabs = {
  school: 'people',
  roster: 'roster',
  chat: 'chat',
  resources: 'chat',
  people: 'people',
  ladder: 'on-call',
} as const

/** Stays above Settings until everything is done. */
export function Checklist() {
  const { data } = useChecklist()
  if (useMe().may_set_up)
    return (
      <div className="flex flex-wrap items-center gap-3 rounded border bg-surface p-3">
        <Button onClick={() => goTo('set-up')}>{words.setUp.offer}</Button>
      </div>
    )
  if (!data || data.steps.every(({ done }) => done)) return null
  return (
    <Panel title={text.title(data.steps.filter(({ done }) => done).length, data.steps.length)}>
      <ul className="flex flex-col gap-1">
        {data.steps.map(({ step, done }) => (
          <li key={step} className="flex min-h-7 items-center gap-2">
            {done ? (
              <Check size={16} role="img" aria-label={words.setUp.done} />
            ) : (
              <Circle size={16} aria-hidden="true" className="text-ink-faint" />
            )}
            <span className={done ? 'text-ink-soft' : 'font-semibold'}>{text.step[step]}</span>
            {!done && (
              <Button aria-label={`${text.open}: ${text.step[step]}`} onClick={() => goTo('settings', tabs[step])}>
                {text.open}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
