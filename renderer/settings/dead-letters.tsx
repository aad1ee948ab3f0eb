import type { DeadLetters } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import { Button, Clock, ErrorNotice, Panel, useAction, useLatest } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.queues.deadLetters

/** What SQS has put aside, and that it is brought back; nothing where the queue is this program's own. */
export function DeadLetterPanel() {
  const letters = useLatest<DeadLetters | null>((on) => trpc.settings.deadLetters.subscribe(undefined, on), [])
  const bringing = useAction<void, number>(() => trpc.settings.bringBackDeadLetters.mutate())
  if (!letters) return null
  const isKnown = letters.state === 'known'
  return (
    <Panel
      title={text.title}
      aside={
        <Button busy={bringing.busy} onClick={() => void bringing.run()}>
          {bringing.busy ? text.bringing : isKnown ? text.bringBack : text.look}
        </Button>
      }
    >
      {letters.problem && <ErrorNotice error={letters.problem} />}
      {bringing.error && <ErrorNotice error={bringing.error} />}
      <p role="status" className={letters.problem && letters.waiting ? 'font-semibold text-crisis' : 'font-semibold'}>
        {isKnown ? text.waiting(letters.waiting) : letters.state === 'none' ? text.none : text.unknown}
        {bringing.result !== undefined && bringing.result !== null && ` · ${text.broughtNow(bringing.result)}`}
      </p>
      {isKnown && <Facts letters={letters} />}
    </Panel>
  )
}

function Facts({ letters }: { letters: DeadLetters }) {
  const { queue, max_receives, brought_back, last_at, of_others } = letters
  return (
    <>
      <p className="my-2 text-ink-soft">{text.about}</p>
      <dl className="grid gap-x-4 gap-y-1 narrow:grid-cols-[12rem_1fr]">
        <dt className="text-ink-faint">{text.queue}</dt>
        <dd className="min-w-0 break-all">{queue}</dd>
        {max_receives !== null && (
          <>
            <dt className="text-ink-faint">{text.receives}</dt>
            <dd>{text.times(max_receives)}</dd>
          </>
        )}
        <dt className="text-ink-faint">{text.brought}</dt>
        <dd>
          {brought_back}
          {last_at !== null && (
            <>
              {' · '}
              <Clock at={last_at} />
            </>
          )}
        </dd>
      </dl>
      {of_others > 0 && <p className="mt-2 font-semibold">{text.ofOthers(of_others)}</p>}
    </>
  )
}
