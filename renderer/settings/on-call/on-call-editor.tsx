/** On call being edited: what is wrong stands at its field, and what somebody else saved meanwhile below it. */
import { use, useEffect, useRef, useState, type FormEvent } from 'react'
import type { OnCall } from '../../../shared/on-call.ts'
import type { KeptPolicy } from '../../../shared/policy.ts'
import { minutes } from '../../../shared/time.ts'
import { announce, trpc } from '../../app/index.ts'
import { Button, Panel, useAction, useNow } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { PolicyFoot } from '../policy-foot.tsx'
import type { Editing } from './fields.tsx'
import { LadderEditor } from './ladder-editor.tsx'
import { LadderShown } from './ladder.tsx'
import { namesIn } from './naming.ts'
import { NumbersLink } from './numbers-link.tsx'
import {
  draftOf,
  drawable,
  isSame,
  newRota,
  policyOf,
  problemAt,
  problemsIn,
  unfinishedRotas,
  withAfterHours,
  type OnCallDraft,
  type Problem,
} from './on-call-draft.ts'
import { AwayEditor, HoursEditor, RotasEditor } from './rotas-editor.tsx'
import { wallField } from './week-days.ts'
import { WaysContext } from './ways.ts'
import { Week } from './week.tsx'
import { WouldHappen } from './would-happen.tsx'

const text = words.onCall

/** What is edited, from what. */
export interface EditingOnCall {
  base: KeptPolicy
  draft: OnCallDraft
  /** What somebody else saved of it since editing began; null = nobody did. */
  theirs: OnCallDraft | null
}

/** Another save may come between; more often than this nobody is fast enough. */
const mostTries = 5

export function OnCallEditor(props: {
  editing: EditingOnCall
  onChange: (editing: EditingOnCall) => void
  onSaved: (kept: KeptPolicy) => void
  onEnd: () => void
}) {
  const { editing, onChange, onSaved, onEnd } = props
  const { base, draft, theirs } = editing
  const now = useNow(minutes(1))
  const ways = use(WaysContext)
  const form = useRef<HTMLFormElement>(null)
  const [tried, setTried] = useState(0)
  /** What the station found, and in which draft: changing anything there takes it away. */
  const [refused, setRefused] = useState<{ of: OnCallDraft; problems: Problem[] } | null>(null)
  const policy = policyOf(base.policy, draft)
  const names = namesIn(policy)
  const today = wallField(now, policy.calendar.time_zone).slice(0, 10)
  const found = problemsIn(base.policy, draft, now, ways)
  const problems = tried === 0 ? [] : found.length > 0 ? found : refused?.of === draft ? refused.problems : []
  const save = useAction((wanted: { base: KeptPolicy; draft: OnCallDraft }) => saveOver(wanted))
  useEffect(() => {
    if (tried > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-problem]')?.focus()
  }, [tried])

  const change = (part: Partial<OnCallDraft>) => {
    save.reset()
    onChange({ ...editing, draft: { ...draft, ...part } })
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (save.busy) return
    setTried(tried + 1)
    if (found.length > 0) return
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
    const answer = await save.run({ base, draft })
    if (!answer) return
    if ('changed' in answer) return onSaved(answer.changed)
    if ('gaps' in answer) {
      setRefused({ of: draft, problems: answer.gaps })
      setTried(tried + 2)
      return
    }
    setTried(0)
    onChange({ base: answer.stale, draft, theirs: draftOf(answer.stale.policy) })
    form.current?.querySelector<HTMLElement>('[data-meanwhile]')?.focus()
  }
  const problem = (place: string, alone = false): string | null => {
    const at = problemAt(problems, place, alone)
    if (!at) return null
    const field = at.path.findLast((step) => typeof step === 'string')
    return at.gap ?? text.problem[String(field)] ?? text.problem['form'] ?? ''
  }
  const edit: Editing<OnCall> = { value: draft.on_call, change: (on_call) => change({ on_call }), problem }
  const { people } = policy
  const parts = { edit, people, names, today }
  // Drawn from what is typed, as far as it is a policy.
  const drawn = drawable(policy)
  const elsewhere = problems.find(({ path }) => path[0] !== 'on_call' && path[1] !== 'hours')

  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <div data-meanwhile tabIndex={-1} role="status" className={theirs ? '' : '-mb-4'}>
        {theirs && (
          <Meanwhile
            {...{ base, theirs }}
            onTake={() => {
              onChange({ base, draft: theirs, theirs: null })
              announce(text.meanwhile.taken)
            }}
          />
        )}
      </div>
      <fieldset disabled={save.busy} className="contents">
        <Panel title={text.ladder.title}>
          <div className="flex flex-col gap-4">
            {(['crisis', 'high'] as const).map((tier) => (
              <section key={tier} aria-label={text.ladder.tiers[tier]}>
                <h3 className="mb-1 font-semibold">{text.ladder.tiers[tier]}</h3>
                <LadderEditor {...{ tier, edit, people, names }} />
              </section>
            ))}
            <NumbersLink />
          </div>
        </Panel>
        <Panel title={text.week.title}>
          {drawn && <Week policy={drawn} names={names} unfinished={unfinishedRotas(draft.on_call)} />}
          {!draft.on_call.rotas.some(({ hours }) => hours === 'after hours') && (
            <div className="mt-3 flex flex-col items-start gap-2">
              <p className="text-ink-soft">{text.week.afterHours}</p>
              <Button
                onClick={() => {
                  const rota = newRota(`rota-${crypto.randomUUID()}`, text.week.afterHoursName, today)
                  change({ on_call: withAfterHours(draft.on_call, rota) })
                  announce(text.week.addedAfterHours)
                }}
              >
                {text.week.addAfterHours}
              </Button>
            </div>
          )}
        </Panel>
        <Panel title={text.rotas.title}>
          <RotasEditor {...parts} />
        </Panel>
        <Panel title={text.away.title}>
          <AwayEditor {...parts} />
        </Panel>
        <Panel title={text.hours.title}>
          <HoursEditor edit={{ value: draft.hours, change: (hours) => change({ hours }), problem }} />
        </Panel>
        <Panel title={text.would.title}>{drawn && <WouldHappen policy={drawn} names={names} />}</Panel>
      </fieldset>
      <PolicyFoot
        {...{ text, save, onEnd }}
        fault={elsewhere ? (elsewhere.gap ?? text.problem['form'] ?? null) : null}
        problems={problems.length}
        isChanged={() => !isSame(draft, draftOf(base.policy))}
      />
    </form>
  )
}

/**
 * Saves a draft over what stands. Where somebody else saved meanwhile, and nothing of what is edited here, it is saved
 * over that; what they changed of it is for the person to see.
 */
async function saveOver({ base, draft }: { base: KeptPolicy; draft: OnCallDraft }) {
  const before = draftOf(base.policy)
  let from = base
  for (let tries = 1; ; tries++) {
    const answer = await trpc.policy.save.mutate({ version: from.version, policy: policyOf(from.policy, draft) })
    if (!('stale' in answer) || tries === mostTries || !isSame(draftOf(answer.stale.policy), before)) return answer
    from = answer.stale
  }
}

/** What somebody else saved, to compare and to take. */
function Meanwhile({ base, theirs, onTake }: { base: KeptPolicy; theirs: OnCallDraft; onTake: () => void }) {
  const said = text.meanwhile
  const by = base.policy.people.find(({ id }) => id === base.changed_by)?.name ?? null
  const policy = policyOf(base.policy, theirs)
  const names = namesIn(policy)
  return (
    <section
      aria-label={said.title(by)}
      className="flex flex-col items-start gap-2 rounded border border-line-strong bg-surface p-3"
    >
      <p className="font-semibold">{said.title(by)}</p>
      <p className="text-ink-soft">{said.text}</p>
      <details className="w-full">
        <summary className="min-h-6">{said.theirs}</summary>
        <div className="flex flex-col gap-3 pt-2">
          {(['crisis', 'high'] as const).map((tier) => (
            <div key={tier}>
              <h4 className="font-semibold">{text.ladder.tiers[tier]}</h4>
              <LadderShown tier={tier} ladder={theirs.on_call.ladders[tier]} names={names} />
            </div>
          ))}
          <Week policy={policy} names={names} />
        </div>
      </details>
      <Button onClick={onTake}>{said.take}</Button>
    </section>
  )
}
