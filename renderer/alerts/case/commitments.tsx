/** Everything promised about an alert: what, by whom, until when; several at once, each on its own. */
import { useState } from 'react'
import { Check } from 'lucide-react'
import type { Commitment } from '../../../shared/alerts.ts'
import type { AlertDetail } from '../../../shared/views.ts'
import { ActionForm, trpc, useMay, useMe } from '../../app/index.ts'
import {
  Button,
  ErrorNotice,
  Field,
  forget,
  fromTimeField,
  lengthText,
  OverdueMark,
  Panel,
  Select,
  shownZone,
  toTimeField,
  useAction,
  useDraft,
  useKept,
  useNow,
  WhenField,
  whenPresets,
  whenProblem,
  whenText,
} from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { useDid } from './did.ts'
import { caseDraftOf } from './draft.ts'
import { inOrder, isOverdue } from './commitment-order.ts'
import { usePeople } from './people.ts'

const text = words.case.commitments

export function Commitments({ alert, refetch }: { alert: AlertDetail; refetch: () => void }) {
  const mayAct = useMay('alerts.act')
  const now = useNow(5000)
  // An earlier message that arrives late gives the alert another key, and closes nothing.
  const [first] = useState(alert.key)
  /** The id of the one that is changed; '' = a new one. */
  const [open, setOpen] = useKept<string | null>(`open commitment ${first}`, null)
  const draft = caseDraftOf(alert, `commitment ${open || 'new'}`)
  const did = useDid(alert, refetch)
  const meet = useAction(
    ({ id }: Commitment) => trpc.alerts.commitmentMet.mutate({ key: alert.key, commitment: id }),
    did(text.didComplete),
  )
  const changed = alert.commitments.find(({ id }) => id === open)
  const close = () => setOpen(null)
  return (
    <Panel
      title={text.title}
      aside={mayAct && alert.state !== 'resolved' && <Button onClick={() => setOpen('')}>{text.add}</Button>}
    >
      {alert.commitments.length === 0 ? (
        <p className="text-ink-soft">{text.none}</p>
      ) : (
        <ul aria-label={text.title} className="flex flex-col divide-y">
          {inOrder(alert.commitments).map((commitment) => (
            <li key={commitment.id} tabIndex={-1} className="flex flex-wrap items-start gap-x-3 gap-y-1 py-1.5">
              <div className="min-w-0 flex-1 basis-48">
                <p className="font-semibold break-words">{commitment.what || text.sealed}</p>
                <State commitment={commitment} now={now} />
              </div>
              {mayAct && !commitment.met && (
                <div className="flex gap-2">
                  <Button
                    aria-label={text.completeWhich(commitment.what)}
                    busy={meet.busy}
                    onClick={(event) => {
                      const row = event.currentTarget.closest('li')
                      void meet.run(commitment).then((recorded) => recorded && row?.focus())
                    }}
                  >
                    {text.complete}
                  </Button>
                  <Button aria-label={text.changeWhich(commitment.what)} onClick={() => setOpen(commitment.id)}>
                    {text.change}
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {meet.error && <ErrorNotice error={meet.error} />}
      {open !== null && (open === '' || changed) && (
        <CommitmentDialog
          alert={alert}
          commitment={changed ?? null}
          draft={draft}
          onClose={close}
          onDone={(recorded) => {
            close()
            forget(`${draft} `)
            did(changed ? text.didChange : text.didAdd)(recorded)
          }}
        />
      )}
    </Panel>
  )
}

/** Who answers for it and until when; what is overdue is marked as everywhere. */
function State({ commitment, now }: { commitment: Commitment; now: number }) {
  const { met, due_at, owner } = commitment
  if (met)
    return (
      <p className="flex items-center gap-1.5 text-ink-soft">
        {!met.closed && <Check size={14} aria-hidden="true" className="shrink-0" />}
        {met.closed ? text.closed(whenText(met.at)) : text.met(met.by_name, whenText(met.at))}
      </p>
    )
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-ink-soft">
      {isOverdue(commitment, now) && due_at !== null && <OverdueMark text={text.overdue(lengthText(now - due_at))} />}
      {due_at === null ? text.noTime(owner.name) : text.by(owner.name, whenText(due_at, now))}
    </p>
  )
}

/** What is usually promised first: a quarter of an hour from now. */
const soonest = (now: number): number => whenPresets('soon', now, shownZone())[0]?.at ?? now

interface Typed {
  what: string
  due: string
  owner: string
}

function CommitmentDialog(props: {
  alert: AlertDetail
  /** Null = a new one. */
  commitment: Commitment | null
  draft: string
  onClose: () => void
  onDone: (recorded: { ack_id: string }) => void
}) {
  const { alert, commitment } = props
  const me = useMe().person
  const people = usePeople()
  const [recorded] = useState<Typed>(() => ({
    what: commitment?.what ?? '',
    due: toTimeField(commitment?.due_at ?? soonest(Date.now())),
    owner: commitment?.owner.id ?? me.id,
  }))
  const [mine, setMine] = useDraft<Partial<Typed>>(`${props.draft} typed`, {})
  const [tried, setTried] = useState(false)
  const typed = { ...recorded, ...mine }
  const edit = (change: Partial<Typed>) => setMine({ ...mine, ...change })
  const due = fromTimeField(typed.due)
  const isSame = commitment !== null && typed.due === recorded.due
  const problem = {
    what: typed.what.trim() === '' && (commitment === null || commitment.what !== '') ? text.missing : null,
    // The time of an overdue one may stay as it is while its owner changes.
    due: isSame && due !== null ? null : whenProblem(typed.due, Date.now()),
  }
  const save = useAction(async () => {
    const next_action = typed.what.trim()
    const { key } = alert
    if (!commitment) return trpc.alerts.commit.mutate({ key, next_action, due_at: due ?? 0, owner: typed.owner })
    return trpc.alerts.moveCommitment.mutate({
      key,
      commitment: commitment.id,
      ...(next_action !== '' && next_action !== commitment.what && { next_action }),
      ...(!isSame && due !== null && { due_at: due }),
      ...(typed.owner !== commitment.owner.id && { owner: typed.owner }),
    })
  }, props.onDone)
  const isUnchanged = isSame && typed.what.trim() === recorded.what.trim() && typed.owner === recorded.owner
  const known = people.some(({ id }) => id === typed.owner)
  return (
    <ActionForm
      student={alert.student}
      draft={props.draft}
      title={commitment ? text.change : text.add}
      action={text.save}
      busy={save.busy}
      error={save.error}
      onClose={props.onClose}
      onSubmit={() => {
        setTried(true)
        if (problem.what !== null || problem.due !== null) return
        if (isUnchanged) props.onClose()
        else void save.run(undefined)
      }}
    >
      <Field label={text.what} problem={tried ? problem.what : null}>
        {(bind) => (
          <input
            {...bind}
            data-first
            className="field"
            value={typed.what}
            onChange={(event) => edit({ what: event.target.value })}
          />
        )}
      </Field>
      <WhenField
        label={text.due}
        kind="soon"
        value={typed.due}
        problem={tried ? problem.due : null}
        onChange={(next) => edit({ due: next })}
      />
      <Select
        label={text.owner}
        value={typed.owner}
        onChange={(owner) => edit({ owner })}
        choices={[
          ...(known ? [] : [{ value: typed.owner, label: commitment?.owner.name ?? me.name }]),
          ...people.map((person) => ({ value: person.id, label: person.name })),
        ]}
      />
    </ActionForm>
  )
}
