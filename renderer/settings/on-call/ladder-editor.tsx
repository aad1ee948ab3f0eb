/** The ladder edited: whom each rung tells, how, and after how many minutes. */
import { use, useId, type ReactNode } from 'react'
import { channelSchema, type OnCall, type Rung, type Target } from '../../../shared/on-call.ts'
import { roles } from '../../../shared/people.ts'
import type { Policy } from '../../../shared/policy.ts'
import { Button } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { Fault } from '../policy-foot.tsx'
import { EntryButtons, EntryList, NumberField, RemoveButton, type Editing } from './fields.tsx'
import { Steps } from './ladder.tsx'
import type { Names } from './naming.ts'
import { movedRung, replaced, targetKey, without } from './on-call-draft.ts'
import { isSetUp, WaysContext } from './ways.ts'

const text = words.onCall.ladder
const mostRungs = 10

export function LadderEditor(props: {
  tier: keyof OnCall['ladders']
  edit: Editing<OnCall>
  people: Policy['people']
  names: Names
}) {
  const { tier, edit, names } = props
  const ladder = edit.value.ladders[tier]
  const place = `on_call.ladders.${tier}`
  const change = (part: Partial<typeof ladder>) =>
    edit.change({ ...edit.value, ladders: { ...edit.value.ladders, [tier]: { ...ladder, ...part } } })
  const changeRung = (index: number, part: Partial<Rung>) => change({ rungs: replaced(ladder.rungs, index, part) })
  const last = ladder.rungs.at(-1)?.after_minutes ?? -5
  const whole = edit.problem(place, true) ?? edit.problem(`${place}.rungs`, true)
  return (
    <EntryList className="flex flex-col gap-2">
      <Fault text={whole} />
      <Steps ladder={ladder} label={words.onCall.ladder.of(tier)}>
        {(index) => {
          const rung = ladder.rungs[index]
          if (!rung) return null
          return (
            <RungFields
              {...{ rung, names }}
              number={index + 1}
              people={props.people}
              rotas={edit.value.rotas}
              problem={(field) => edit.problem(`${place}.rungs.${index}.${field}`)}
              onChange={(part) => changeRung(index, part)}
              buttons={
                <EntryButtons
                  up={text.up(index + 1)}
                  down={text.down(index + 1)}
                  remove={text.removeRung(index + 1)}
                  first={index === 0}
                  last={index === ladder.rungs.length - 1}
                  onMove={(by) => change({ rungs: movedRung(ladder.rungs, index, by) })}
                  onRemove={() => change({ rungs: without(ladder.rungs, index) })}
                />
              }
            />
          )
        }}
      </Steps>
      {ladder.rungs.length < mostRungs && (
        <Button
          data-add
          className="self-start"
          onClick={() =>
            change({
              rungs: [
                ...ladder.rungs,
                { after_minutes: Number.isNaN(last) ? 0 : last + 5, to: [], channels: ['desktop', 'sms'] },
              ],
            })
          }
        >
          {text.addRung}
        </Button>
      )}
      <NumberField
        label={text.repeatLabel}
        min={1}
        max={60}
        value={ladder.repeat_minutes}
        problem={edit.problem(`${place}.repeat_minutes`)}
        onChange={(repeat_minutes) => change({ repeat_minutes })}
      />
      <p className="text-small text-ink-faint">{text.skipped}</p>
    </EntryList>
  )
}

function RungFields(props: {
  rung: Rung
  number: number
  people: Policy['people']
  rotas: OnCall['rotas']
  names: Names
  problem: (field: 'after_minutes' | 'to' | 'channels') => string | null
  onChange: (part: Partial<Rung>) => void
  buttons: ReactNode
}) {
  const { rung, number, names, onChange } = props
  const [noTarget, noWay] = [props.problem('to'), props.problem('channels')]
  const id = useId()
  const ways = use(WaysContext)
  return (
    <fieldset className="flex flex-col gap-2 rounded border p-2">
      <legend className="sr-only">{text.rung(number)}</legend>
      <div className="flex flex-wrap items-end justify-between gap-2">
        <NumberField
          label={text.ofRung(number, text.minutes)}
          min={0}
          max={240}
          value={rung.after_minutes}
          problem={props.problem('after_minutes')}
          onChange={(after_minutes) => onChange({ after_minutes })}
        />
        {props.buttons}
      </div>
      <EntryList className="flex flex-wrap items-center gap-2">
        <span className="text-ink-soft">{text.tells}</span>
        <ul aria-label={text.ofRung(number, text.tells)} className="contents">
          {rung.to.map((target, index) => (
            <li key={targetKey(target)} className="flex items-center gap-1 rounded border bg-ground ps-2">
              {names.target(target)}
              <RemoveButton
                label={text.removeTarget(names.target(target), number)}
                onRemove={() => onChange({ to: without(rung.to, index) })}
              />
            </li>
          ))}
        </ul>
        <TargetChoice
          {...props}
          invalid={noTarget !== null}
          onChoose={(target) => onChange({ to: [...rung.to, target] })}
        />
      </EntryList>
      <Fault text={noTarget} />
      <div
        role="group"
        aria-label={text.ofRung(number, text.by)}
        className="flex flex-wrap items-center gap-x-4 gap-y-1"
      >
        <span aria-hidden="true" className="text-ink-soft">
          {text.by}
        </span>
        {channelSchema.options.map((channel) => (
          <label key={channel} className="flex min-h-6 items-center gap-1.5">
            <input
              type="checkbox"
              className="size-4 accent-ink"
              aria-invalid={noWay === null ? undefined : true}
              aria-describedby={noWay === null ? undefined : id}
              checked={rung.channels.includes(channel)}
              onChange={({ target }) =>
                onChange({
                  channels: channelSchema.options.filter((each) =>
                    each === channel ? target.checked : rung.channels.includes(each),
                  ),
                })
              }
            />
            {isSetUp(channel, ways)
              ? words.onCall.channelChoice[channel]
              : text.notSetUp(words.onCall.channelChoice[channel])}
          </label>
        ))}
      </div>
      <Fault id={id} text={noWay} />
    </fieldset>
  )
}

/** Adds somebody whom a rung tells; those whom it tells already are left out. */
function TargetChoice(props: {
  rung: Rung
  number: number
  people: Policy['people']
  rotas: OnCall['rotas']
  names: Names
  invalid: boolean
  onChoose: (target: Target) => void
}) {
  const said = words.onCall.target
  const taken = new Set(props.rung.to.map(targetKey))
  const groups: [string, Target[]][] = [
    ['', [{ kind: 'assigned' }]],
    [said.groups.rotas, props.rotas.map(({ id }) => ({ kind: 'rota', rota: id }))],
    [said.groups.roles, roles.map((role) => ({ kind: 'role', role }))],
    [said.groups.people, props.people.map(({ id }) => ({ kind: 'person', person: id }))],
  ]
  const free = groups.map(([label, targets]) => ({
    label,
    targets: targets.filter((each) => !taken.has(targetKey(each))),
  }))
  const all = free.flatMap(({ targets }) => targets)
  const options = (targets: Target[]) =>
    targets.map((target) => (
      <option key={targetKey(target)} value={targetKey(target)}>
        {props.names.target(target)}
      </option>
    ))
  return (
    <select
      data-add
      aria-label={text.ofRung(props.number, text.addTarget)}
      aria-invalid={props.invalid || undefined}
      className="field w-auto"
      value=""
      onChange={({ target }) => {
        const chosen = all.find((each) => targetKey(each) === target.value)
        if (chosen) props.onChoose(chosen)
      }}
    >
      <option value="">{text.addTarget}…</option>
      {free.map(({ label, targets }) =>
        targets.length === 0 ? null : label === '' ? (
          options(targets)
        ) : (
          <optgroup key={label} label={label}>
            {options(targets)}
          </optgroup>
        ),
      )}
    </select>
  )
}
