/** The school's steps after an alert, edited as a list: words, for which alerts, and in which order. */
import { useRef, useState } from 'react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { defaultGuide, type GuideStep } from '../../shared/guide.ts'
import { patternCategories, type PatternCategory } from '../../shared/risk.ts'
import { announce } from '../app/index.ts'
import { Button, Panel, TextField } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { stepKey } from './directory-draft.ts'
import { moved, withTiers } from './guide-list.ts'

const text = words.case.guide
const tiers = ['crisis', 'high'] as const
const categories = Object.keys(patternCategories) as PatternCategory[]
/** How many steps a school may have. */
const mostSteps = 30

export function GuideEditor({
  guide,
  problemOf,
  onChange,
}: {
  guide: GuideStep[]
  /** What is wrong with a field (`step-ID.title`); null = nothing. */
  problemOf: (field: string) => string | null
  onChange: (guide: GuideStep[]) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  const [added, setAdded] = useState<string | null>(null)
  const add = useRef<HTMLDivElement>(null)
  const change = (id: string, part: Partial<GuideStep>) =>
    onChange(guide.map((step) => (step.id === id ? { ...step, ...part } : step)))
  const move = (index: number, by: 1 | -1) => {
    const step = guide[index]
    if (!step) return
    onChange(moved(guide, index, by))
    announce(text.moved(nameOf(step), index + by + 1, guide.length))
    // At either end the button that was pressed rests, and the other one takes the focus.
    requestAnimationFrame(() => {
      const row = list.current?.children[index + by]
      const wanted = row?.querySelector<HTMLButtonElement>(`[data-move="${by}"]:not(:disabled)`)
      ;(wanted ?? row?.querySelector<HTMLButtonElement>('[data-move]:not(:disabled)'))?.focus()
    })
  }
  return (
    <Panel title={text.title}>
      <p className="text-ink-soft">{text.text}</p>
      <ol ref={list} className="flex flex-col">
        {guide.map((step, index) => (
          <li key={step.id} className="border-b py-3">
            <StepFields
              step={step}
              place={index + 1}
              first={added === step.id}
              problemOf={problemOf}
              onChange={(part) => change(step.id, part)}
            />
            <div className="mt-2 flex flex-wrap gap-2">
              <Button
                data-move={-1}
                aria-label={text.up(nameOf(step))}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                <ArrowUp size={14} aria-hidden="true" />
              </Button>
              <Button
                data-move={1}
                aria-label={text.down(nameOf(step))}
                disabled={index === guide.length - 1}
                onClick={() => move(index, 1)}
              >
                <ArrowDown size={14} aria-hidden="true" />
              </Button>
              <Button
                onClick={() => {
                  add.current?.querySelector('button')?.focus()
                  onChange(guide.filter(({ id }) => id !== step.id))
                }}
              >
                {text.remove(nameOf(step))}
              </Button>
            </div>
          </li>
        ))}
      </ol>
      <div ref={add} className="mt-2 flex flex-wrap gap-2">
        {guide.length < mostSteps && (
          <Button
            onClick={() => {
              const id = `step-${crypto.randomUUID()}`
              setAdded(id)
              onChange([...guide, { id, title: '', hint: '', tiers: [...tiers], categories: [], required: [] }])
            }}
          >
            {text.add}
          </Button>
        )}
        <Button
          onClick={() => {
            onChange(defaultGuide.map((step) => ({ ...step })))
            announce(text.restored)
          }}
        >
          {text.restore}
        </Button>
      </div>
    </Panel>
  )
}

/** The list as it stands, for whoever looks at the directory. */
export function GuideShown({ guide }: { guide: readonly GuideStep[] }) {
  return (
    <Panel title={text.title}>
      {guide.length === 0 ? (
        <p>{text.none}</p>
      ) : (
        <ol className="list-decimal ps-5">
          {guide.map(({ id, title, tiers: shownFor, required }) => (
            <li key={id}>
              {text.line(
                title,
                words.common.list(shownFor.map((tier) => words.tier[tier])),
                words.common.list(required.map((tier) => words.tier[tier])),
              )}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

const nameOf = ({ title }: GuideStep): string => title.trim() || text.unnamed

function StepFields(props: {
  step: GuideStep
  place: number
  first: boolean
  problemOf: (field: string) => string | null
  onChange: (part: Partial<GuideStep>) => void
}) {
  const { step, place, onChange } = props
  const problem = (field: keyof GuideStep) => props.problemOf(`${stepKey(step)}.${field}`)
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-semibold">{text.step(place)}</legend>
      <TextField
        label={text.of(place, text.name)}
        problem={problem('title')}
        first={props.first}
        value={step.title}
        onChange={(title) => onChange({ title })}
      />
      <TextField
        label={text.of(place, text.hint)}
        problem={problem('hint')}
        value={step.hint}
        onChange={(hint) => onChange({ hint })}
      />
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Choices
          label={text.of(place, text.tiers)}
          problem={problem('tiers')}
          options={tiers}
          nameOf={(tier) => words.tier[tier]}
          chosen={step.tiers}
          onChange={(chosen) => onChange(withTiers(step, chosen))}
        />
        <Choices
          label={text.of(place, text.required)}
          problem={problem('required')}
          options={tiers.filter((tier) => step.tiers.includes(tier))}
          nameOf={(tier) => words.tier[tier]}
          chosen={step.required}
          onChange={(required) => onChange({ required })}
        />
      </div>
      <details>
        <summary className="min-h-6 text-ink-soft">
          {text.of(place, text.categories)}:{' '}
          {step.categories.length === 0
            ? text.categoriesHint
            : words.common.list(step.categories.map((name) => words.category[name]))}
        </summary>
        <Choices
          label={text.of(place, text.categories)}
          problem={problem('categories')}
          options={categories}
          nameOf={(name) => words.category[name]}
          chosen={step.categories}
          onChange={(chosen) => onChange({ categories: chosen })}
        />
      </details>
    </fieldset>
  )
}

function Choices<Option extends string>(props: {
  label: string
  problem: string | null
  options: readonly Option[]
  nameOf: (option: Option) => string
  chosen: readonly Option[]
  onChange: (chosen: Option[]) => void
}) {
  const { options, chosen } = props
  return (
    <div role="group" aria-label={props.label} className="flex flex-col gap-1">
      <span aria-hidden="true" className="text-ink-soft">
        {props.label}
      </span>
      <div className="flex flex-wrap gap-x-3 gap-y-1">
        {options.map((option) => (
          <label key={option} className="flex min-h-6 items-center gap-1.5">
            <input
              type="checkbox"
              className="size-4 accent-ink"
              aria-invalid={props.problem === null ? undefined : true}
              checked={chosen.includes(option)}
              onChange={({ target }) =>
                props.onChange(options.filter((each) => (each === option ? target.checked : chosen.includes(each))))
              }
            />
            {props.nameOf(option)}
          </label>
        ))}
      </div>
      {props.problem !== null && (
        <p data-problem tabIndex={-1} className="font-medium text-crisis">
          {props.problem}
        </p>
      )}
    </div>
  )
}
