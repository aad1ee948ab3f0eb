/** The rotas edited: who takes turns, since when, and who stands in; and who is away, and when school is open. */
import { rotaHoursSchema, type OnCall, type Rota } from '../../../shared/on-call.ts'
import type { Policy } from '../../../shared/policy.ts'
import { Button, TextField } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { Fault } from '../policy-foot.tsx'
import { ChoiceField, EntryButtons, EntryList, NumberField, RemoveButton, WallField, type Editing } from './fields.tsx'
import type { Names } from './naming.ts'
import { moved, newRota, replaced, unusedRotas, without, withoutRota } from './on-call-draft.ts'

const text = words.onCall.rotas
const most = { rotas: 20, people: 50, covers: 200, away: 500, hours: 50 }
const line = 'grid min-w-0 flex-1 grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] items-start gap-2'

type People = Policy['people']

/** Choices of a person; somebody who has left stands there, too, where they are named. */
function choicesOf(people: People, named: string, names: Names): { value: string; label: string }[] {
  const listed = people.map(({ id, name }) => ({ value: id, label: name }))
  return names.isListed(named) ? listed : [{ value: named, label: names.person(named) }, ...listed]
}

interface RotasProps {
  edit: Editing<OnCall>
  people: People
  names: Names
  /** The day it is at the school, “2026-11-28”. */
  today: string
}

export function RotasEditor({ edit, people, names, today }: RotasProps) {
  const { rotas } = edit.value
  const unused = unusedRotas(edit.value)
  return (
    <EntryList className="flex flex-col gap-4">
      <p className="text-ink-soft">{text.text}</p>
      {rotas.map((rota, index) => (
        <RotaFields
          key={rota.id}
          {...{ rota, people, names, today }}
          isUnused={unused.includes(rota)}
          problem={(field) => edit.problem(`on_call.rotas.${index}.${field}`)}
          onChange={(part) => edit.change({ ...edit.value, rotas: replaced(rotas, index, part) })}
          onRemove={() => edit.change(withoutRota(edit.value, index))}
        />
      ))}
      {rotas.length < most.rotas && (
        <Button
          data-add
          className="self-start"
          onClick={() =>
            edit.change({
              ...edit.value,
              rotas: [...rotas, newRota(`rota-${crypto.randomUUID()}`, text.newName, today)],
            })
          }
        >
          {text.add}
        </Button>
      )}
    </EntryList>
  )
}

function RotaFields(props: {
  rota: Rota
  people: People
  names: Names
  today: string
  /** No step of a ladder tells whoever has it. */
  isUnused: boolean
  problem: (field: string) => string | null
  onChange: (part: Partial<Rota>) => void
  onRemove: () => void
}) {
  const { rota, people, names, problem, onChange } = props
  const { rotation, overrides } = rota
  const turn = (part: Partial<Rota['rotation']>) => onChange({ rotation: { ...rotation, ...part } })
  const of = (label: string) => text.of(label, rota.name)
  const free = people.filter(({ id }) => !rotation.people.includes(id))
  return (
    <fieldset className="flex flex-col gap-3 rounded border p-2">
      <legend className="px-1 font-semibold">{rota.name}</legend>
      <Fault text={problem('id')} />
      {props.isUnused && <p className="text-ink-soft">{text.unused}</p>}
      <div className="flex items-start gap-2">
        <div className={line}>
          <TextField
            label={text.name}
            name={of(text.name)}
            value={rota.name}
            problem={problem('name')}
            onChange={(name) => onChange({ name })}
          />
          <ChoiceField
            label={text.hours}
            name={of(text.hours)}
            value={rota.hours}
            choices={rotaHoursSchema.options.map((value) => ({ value, label: text.hoursOf[value] }))}
            problem={problem('hours')}
            onChange={(hours) => onChange({ hours })}
          />
          <TextField
            label={text.starts}
            name={of(text.starts)}
            type="date"
            value={rotation.starts}
            problem={problem('rotation.starts')}
            onChange={(starts) => turn({ starts })}
          />
          <TextField
            label={text.handsOver}
            name={of(text.handsOver)}
            type="time"
            value={rotation.hands_over_at}
            problem={problem('rotation.hands_over_at')}
            onChange={(hands_over_at) => turn({ hands_over_at })}
          />
          <NumberField
            label={text.turnDays}
            name={of(text.turnDays)}
            min={1}
            max={28}
            value={rotation.turn_days}
            problem={problem('rotation.turn_days')}
            onChange={(turn_days) => turn({ turn_days })}
          />
        </div>
        <RemoveButton label={text.remove(rota.name)} onRemove={props.onRemove} />
      </div>
      <EntryList className="flex flex-col gap-1">
        <span className="text-ink-soft">{text.people}</span>
        <ol aria-label={of(text.people)} className="flex list-decimal flex-col gap-1 ps-6">
          {rotation.people.map((person, index) => (
            <li key={`${person} ${index}`}>
              <span className="flex flex-wrap items-center justify-between gap-2">
                {names.person(person)}
                <EntryButtons
                  up={text.up(names.person(person), rota.name)}
                  down={text.down(names.person(person), rota.name)}
                  remove={text.removePerson(names.person(person), rota.name)}
                  first={index === 0}
                  last={index === rotation.people.length - 1}
                  onMove={(by) => turn({ people: moved(rotation.people, index, by) })}
                  onRemove={() => turn({ people: without(rotation.people, index) })}
                />
              </span>
            </li>
          ))}
        </ol>
        <Fault text={problem('rotation.people')} />
        {free.length > 0 && rotation.people.length < most.people && (
          <select
            data-add
            aria-label={of(text.addPerson)}
            className="field w-auto self-start"
            value=""
            onChange={({ target }) => target.value && turn({ people: [...rotation.people, target.value] })}
          >
            <option value="">{text.addPerson}…</option>
            {free.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </EntryList>
      <EntryList className="flex flex-col gap-2">
        {overrides.length > 0 && <span className="text-ink-soft">{text.covers}</span>}
        {overrides.map((cover, index) => {
          const label = (said: string) => text.coverLine(said, index + 1, rota.name)
          const change = (part: Partial<typeof cover>) => onChange({ overrides: replaced(overrides, index, part) })
          return (
            <div key={index} className="flex items-start gap-2">
              <div className={line}>
                <ChoiceField
                  label={text.person}
                  name={label(text.person)}
                  value={cover.person}
                  choices={choicesOf(people, cover.person, names)}
                  problem={problem(`overrides.${index}.person`)}
                  onChange={(person) => change({ person })}
                />
                <WallField
                  label={text.from}
                  name={label(text.from)}
                  value={cover.from}
                  problem={problem(`overrides.${index}.from`)}
                  onChange={(from) => change({ from })}
                />
                <WallField
                  label={text.to}
                  name={label(text.to)}
                  value={cover.to}
                  problem={problem(`overrides.${index}.to`)}
                  onChange={(to) => change({ to })}
                />
              </div>
              <RemoveButton
                label={text.removeCover(index + 1, rota.name)}
                onRemove={() => onChange({ overrides: without(overrides, index) })}
              />
            </div>
          )
        })}
        {overrides.length < most.covers && people[0] && (
          <Button
            data-add
            className="self-start"
            aria-label={of(text.cover)}
            onClick={() => onChange({ overrides: [...overrides, stretchFrom(props.today, people[0]?.id ?? '')] })}
          >
            {text.cover}
          </Button>
        )}
      </EntryList>
    </fieldset>
  )
}

/** A whole day, to be changed. */
const stretchFrom = (today: string, person: string) => ({ person, from: `${today}T08:00`, to: `${today}T16:00` })

export function AwayEditor({ edit, people, names, today }: RotasProps) {
  const { away } = edit.value
  const said = words.onCall.away
  const set = (next: OnCall['away']) => edit.change({ ...edit.value, away: next })
  return (
    <EntryList className="flex flex-col gap-2">
      <p className="text-ink-soft">{said.text}</p>
      {away.map((each, index) => {
        const problem = (field: string) => edit.problem(`on_call.away.${index}.${field}`)
        const change = (part: Partial<typeof each>) => set(replaced(away, index, part))
        return (
          <div key={index} className="flex items-start gap-2">
            <div className={line}>
              <ChoiceField
                label={said.nth(text.person, index + 1)}
                value={each.person}
                choices={choicesOf(people, each.person, names)}
                problem={problem('person')}
                onChange={(person) => change({ person })}
              />
              <WallField
                label={said.nth(text.from, index + 1)}
                value={each.from}
                problem={problem('from')}
                onChange={(from) => change({ from })}
              />
              <WallField
                label={said.nth(text.to, index + 1)}
                value={each.to}
                problem={problem('to')}
                onChange={(to) => change({ to })}
              />
            </div>
            <RemoveButton label={said.remove(index + 1)} onRemove={() => set(without(away, index))} />
          </div>
        )
      })}
      {away.length < most.away && people[0] && (
        <Button data-add className="self-start" onClick={() => set([...away, stretchFrom(today, people[0]?.id ?? '')])}>
          {said.add}
        </Button>
      )}
    </EntryList>
  )
}

export function HoursEditor({ edit }: { edit: Editing<Policy['calendar']['hours']> }) {
  const said = words.onCall.hours
  const { value: hours, change } = edit
  return (
    <EntryList className="flex flex-col gap-2">
      <p className="text-ink-soft">{said.text}</p>
      {hours.map((each, index) => {
        const problem = (field: string) => edit.problem(`calendar.hours.${index}.${field}`)
        const set = (part: Partial<typeof each>) => change(replaced(hours, index, part))
        return (
          <div key={index} className="flex items-start gap-2">
            <div className={line}>
              <ChoiceField
                label={said.nth(said.day, index + 1)}
                value={String(each.weekday)}
                choices={words.directory.calendar.weekdays.map((label, day) => ({ value: String(day + 1), label }))}
                problem={problem('weekday')}
                onChange={(weekday) => set({ weekday: Number(weekday) })}
              />
              <TextField
                label={said.nth(said.from, index + 1)}
                type="time"
                value={each.from}
                problem={problem('from')}
                onChange={(from) => set({ from })}
              />
              <TextField
                label={said.nth(said.to, index + 1)}
                type="time"
                value={each.to}
                problem={problem('to')}
                onChange={(to) => set({ to })}
              />
            </div>
            <RemoveButton label={said.remove(index + 1)} onRemove={() => change(without(hours, index))} />
          </div>
        )
      })}
      {hours.length < most.hours && (
        <Button
          data-add
          className="self-start"
          onClick={() => change([...hours, { weekday: 1, from: '08:00', to: '16:00' }])}
        >
          {said.add}
        </Button>
      )}
    </EntryList>
  )
}
