/** Settings → Detection: how cautiously messages are read at the school, what each choice costs and misses, and choosing. */
import { useState } from 'react'
import {
  longestDetectionReason,
  type DetectionChange,
  type KeptDetection,
  type OperatingPointName,
  type WeightSetName,
} from '../../shared/detection.ts'
import { numberText } from '../../shared/numbers.ts'
import { signalNames } from '../../shared/risk.ts'
import type { DetectionChoices } from '../../shared/views.ts'
import { announce, trpc, useMay, useMe } from '../app/index.ts'
import {
  Button,
  DataTable,
  Dialog,
  ErrorNotice,
  Field,
  Panel,
  Select,
  forget,
  useAction,
  useDraft,
  useLatest,
  whenText,
} from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.settings.detection.choice

type Point = DetectionChoices['points'][number]

export function OperatingPoints() {
  const view = useLatest<DetectionChoices>((on) => trpc.detection.choices.subscribe(undefined, on), [])
  const manages = useMay('detection.manage')
  /** As the station answered; its own word comes over the queue a moment later. */
  const [saved, setSaved] = useState<KeptDetection | null>(null)
  const [changing, setChanging] = useState(false)
  const { person } = useMe()
  if (view === null) return null
  const isSaved = saved !== null && (saved.chosen?.at ?? 0) >= (view.kept.chosen?.at ?? 0)
  const kept = isSaved ? saved : view.kept
  const name = kept.chosen?.by === person.id ? person.name : (view.chosen_by_name ?? text.somebody)
  return (
    <Panel title={text.title}>
      <div className="flex flex-col items-start gap-2">
        <p className="text-ink-soft">{text.text}</p>
        <div className="w-full">
          <Points points={view.points} inForce={kept.operating_point} />
        </div>
        <p className="text-small text-ink-faint">{text.measured(numberText(view.messages_per_1000_week))}</p>
        <p>{kept.chosen ? text.chosen(name, whenText(kept.chosen.at)) : text.never}</p>
        {kept.chosen && (
          <p className="break-words">
            {text.because} <q>{kept.chosen.why}</q>
          </p>
        )}
        <Weights view={view} kept={kept} />
        <p role="status" className="empty:hidden">
          {isSaved ? text.saved : ''}
        </p>
        {view.station === 'none' ? (
          <p>{text.noStation}</p>
        ) : manages ? (
          <Button onClick={() => setChanging(true)}>{text.change}</Button>
        ) : (
          <p className="text-ink-faint">{text.notYours}</p>
        )}
      </div>
      {changing && (
        <ChangeDialog
          view={view}
          kept={kept}
          onClose={() => setChanging(false)}
          onSaved={(next) => {
            setSaved(next)
            setChanging(false)
            announce(text.saved)
          }}
        />
      )}
    </Panel>
  )
}

const figure = (value: number): string => value.toFixed(value < 10 ? 1 : 0)

function Points({ points, inForce }: { points: readonly Point[]; inForce: OperatingPointName }) {
  return (
    <DataTable
      label={text.title}
      rows={points}
      rowKey={({ name }) => name}
      columns={[
        {
          header: text.point,
          cell: ({ name }) =>
            name === inForce ? (
              <strong>
                {words.operatingPoint[name]} ({text.inForce})
              </strong>
            ) : (
              words.operatingPoint[name]
            ),
        },
        { header: text.alerts, cell: ({ per_1000_week }) => text.weekly(figure(per_1000_week.alerts)), align: 'end' },
        { header: text.watch, cell: ({ per_1000_week }) => text.weekly(figure(per_1000_week.caution)), align: 'end' },
        { header: text.missesShort, cell: ({ misses }) => text.ofHundred(figure(misses.short)), align: 'end' },
        { header: text.missesLong, cell: ({ misses }) => text.ofHundred(figure(misses.long)), align: 'end' },
      ]}
    />
  )
}

const weightsText = ({ weights, interval }: DetectionChoices['weight_sets'][number]): string =>
  signalNames
    .map((name) => {
      const range = interval && ` (${interval[name].map((value) => value.toFixed(2)).join('–')})`
      return `${words.signal[name]} ${weights[name].toFixed(2)}${range ?? ''}`
    })
    .join('; ')

/** Whether there is anything to choose between. */
const setsDiffer = ({ weight_sets: [first, ...rest] }: DetectionChoices): boolean =>
  rest.some(({ weights }) => signalNames.some((name) => weights[name] !== first?.weights[name]))

function Weights({ view, kept }: { view: DetectionChoices; kept: KeptDetection }) {
  const inForce = kept.weights ?? view.recommended_weights
  const set = view.weight_sets.find(({ name }) => name === inForce)
  if (!set) return null
  return (
    <p className="text-small text-ink-soft">
      {text.weights.line(text.weights.names[inForce], weightsText(set))} {!setsDiffer(view) && text.weights.same}
    </p>
  )
}

const recommended = 'recommended'

function ChangeDialog(props: {
  view: DetectionChoices
  kept: KeptDetection
  onClose: () => void
  onSaved: (kept: KeptDetection) => void
}) {
  const { view, kept } = props
  const [point, setPoint] = useState(kept.operating_point)
  const [weights, setWeights] = useState<WeightSetName | null>(kept.weights)
  const draft = `detection choice ${useMe().person.id}`
  const [why, setWhy] = useDraft<string>(draft, '')
  const save = useAction(
    (change: DetectionChange) => trpc.detection.choose.mutate(change),
    (next) => {
      forget(draft)
      props.onSaved(next)
    },
  )
  const isChanged = point !== kept.operating_point || weights !== kept.weights
  const isReady = isChanged && why.trim() !== ''
  return (
    <Dialog title={text.title} onClose={props.onClose} wide>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !save.busy) void save.run({ operating_point: point, weights, why: why.trim() })
        }}
      >
        <p>{text.hint}</p>
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">{text.title}</legend>
          {view.points.map((each) => (
            <PointChoice
              key={each.name}
              point={each}
              inForce={each.name === kept.operating_point}
              chosen={each.name === point}
              onChoose={() => setPoint(each.name)}
            />
          ))}
        </fieldset>
        {setsDiffer(view) && (
          <Select<WeightSetName | typeof recommended>
            label={text.weights.label}
            value={weights ?? recommended}
            choices={[
              {
                value: recommended,
                label: text.weights.recommended(text.weights.names[view.recommended_weights]),
              },
              ...view.weight_sets.map(({ name }) => ({ value: name, label: text.weights.names[name] })),
            ]}
            onChange={(next) => setWeights(next === recommended ? null : next)}
          />
        )}
        <Field label={text.reason} hint={text.reasonHint}>
          {(bind) => (
            <textarea
              {...bind}
              className="field"
              rows={2}
              required
              maxLength={longestDetectionReason}
              value={why}
              onChange={(event) => setWhy(event.target.value)}
            />
          )}
        </Field>
        {save.error && !save.busy && <ErrorNotice error={save.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{words.common.cancel}</Button>
          <Button type="submit" look="primary" busy={save.busy} disabled={!isReady}>
            {text.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function PointChoice(props: { point: Point; inForce: boolean; chosen: boolean; onChoose: () => void }) {
  const { name, per_1000_week, misses } = props.point
  return (
    <label className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-2 rounded border p-2 has-checked:border-line-strong has-checked:bg-selected">
      <input
        type="radio"
        name="operating point"
        data-first={props.chosen || undefined}
        checked={props.chosen}
        onChange={props.onChoose}
      />
      <span className="font-semibold">
        {words.operatingPoint[name]}
        {props.inForce && ` (${text.inForce})`}
      </span>
      <span className="col-start-2 text-ink-soft">
        {text.sentence({
          alerts: figure(per_1000_week.alerts),
          watch: figure(per_1000_week.caution),
          short: figure(misses.short),
          long: figure(misses.long),
        })}
      </span>
    </label>
  )
}
