/** The figures “PHQ-9 estimate” and “GAD-7 estimate”. */
import { memo } from 'react'
import {
  clinicallyImportantDifference,
  highestEstimate,
  markerNames,
  reliableChange,
  severityBands,
  type Instrument,
} from '../../shared/estimates.ts'
import type { EstimatePoint, EstimateView } from '../../shared/views.ts'
import { EmptyState, dayText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { dayCell, type Table } from './csv.ts'
import { changeMarks, itemCount, seriesRange } from './estimate-rows.ts'
import { ChartFigure, PlainTable } from './figure.tsx'
import { TimePlot, usePlot } from './plot.tsx'
import { TooltipCard } from './tooltip-card.tsx'

const text = words.charts.estimate

/** An estimate over time: severity bands, step line, change marks in two lanes, number of known items. */
export const EstimateChart = memo(function EstimateChart({ view }: { view: EstimateView }) {
  const { instrument, current, series } = view
  const name = text.names[instrument]
  const empty = current.known_items === 0 && series.every(({ known_items }) => known_items === 0)
  return (
    <ChartFigure
      name={name}
      fileName={`${instrument}-estimate`}
      empty={empty}
      table={() => estimateTable(series)}
      richTable={() => (
        <div className="flex flex-col gap-3">
          <PlainTable name={name} table={estimateTable(series)} />
          <p className="font-semibold">{text.items}</p>
          <PlainTable name={text.items} table={itemTable(view)} />
          <p className="text-small text-ink-faint">{text.itemsNote}</p>
        </div>
      )}
      aside={
        <>
          {empty && <p className="text-small text-ink-faint">{words.charts.estimateNotice}</p>}
          {/* Small, and without the band's word: “3 minimal” in large type would calm beside a crisis. */}
          {!empty && (
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="text-ink-faint">{words.charts.estimateNotice}</span>
              <span>
                {current.known_items === 0
                  ? text.nothingKnown
                  : text.current(current.estimate, highestEstimate[instrument])}
              </span>
              <span className="text-ink-soft">{text.known(current.known_items, itemCount(instrument))}</span>
              <span className="text-ink-faint">{text.window(view.window_days)}</span>
            </p>
          )}
        </>
      }
      note={
        empty
          ? undefined
          : `${text.unknownNote} ${text.changeNote(reliableChange[instrument], clinicallyImportantDifference[instrument])}`
      }
    >
      {empty ? <EmptyState title={text.empty} /> : <EstimatePlot instrument={instrument} series={series} />}
    </ChartFigure>
  )
})

const margin = { top: 66, right: 12, bottom: 40, left: 28 }

const EstimatePlot = memo(function EstimatePlot({
  instrument,
  series,
}: {
  instrument: Instrument
  series: EstimatePoint[]
}) {
  const range = seriesRange(series)
  if (!range) return null
  const highest = highestEstimate[instrument]
  return (
    <TimePlot
      name={text.names[instrument]}
      about={words.charts.estimateNotice}
      range={range}
      height={300}
      margin={margin}
      highest={highest}
      ticks={[...severityBands[instrument].map(({ from }) => from), highest].map((value) => ({
        value,
        label: String(value),
      }))}
      points={series}
      card={(point) => <EstimateCard point={point} instrument={instrument} />}
      valueOf={shownValue}
    >
      <Bands instrument={instrument} />
      <StepLine series={series} />
      <Lanes series={series} />
      <KnownItems instrument={instrument} series={series} />
    </TimePlot>
  )
})

/** Days on which nothing was known have no estimate: a line at 0 would say something that nobody knows. */
function shownValue(point: EstimatePoint): number | null {
  return point.known_items === 0 ? null : point.estimate
}

/** The estimate of each day across that day; nothing where nothing was known. */
function StepLine({ series }: { series: readonly EstimatePoint[] }) {
  const { x, y, left } = usePlot()
  const steps = series.map((point, index) => {
    const value = shownValue(point)
    if (value === null) return ''
    const before = series[index - 1]
    const joins = before !== undefined && shownValue(before) !== null
    const start = Math.max(x(before?.at ?? point.at - 86_400_000), left).toFixed(1)
    return `${joins ? 'V' : `M${start} `}${y(value).toFixed(1)}H${x(point.at).toFixed(1)}`
  })
  return <path data-line d={steps.join('')} fill="none" stroke="var(--color-series)" strokeWidth={2} />
}

function EstimateCard({ point, instrument }: { point: EstimatePoint; instrument: Instrument }) {
  return (
    <TooltipCard>
      <p className="font-semibold">
        {point.known_items === 0 ? text.nothingKnown : text.current(point.estimate, highestEstimate[instrument])}
      </p>
      <p className="text-small text-ink-faint">{dayText(point.at)}</p>
      <p>{text.known(point.known_items, itemCount(instrument))}</p>
      {point.reliable_change && <p>{text.reliable}</p>}
      {point.clinically_important && <p>{text.important}</p>}
      <p className="text-small text-ink-faint">{words.charts.estimateNotice}</p>
    </TooltipCard>
  )
}

/** The instrument's severity bands, ever denser, each with its name. */
const Bands = memo(function Bands({ instrument }: { instrument: Instrument }) {
  const { left, width, y } = usePlot()
  const bands = severityBands[instrument]
  return (
    <g aria-hidden="true">
      {bands.map((band, index) => {
        const bottom = y(index === 0 ? 0 : band.from - 0.5)
        const top = y(index === bands.length - 1 ? band.to : band.to + 0.5)
        return (
          <path
            key={band.name}
            d={`M${left} ${bottom}h${width}V${top}h${-width}z`}
            fill="var(--color-ink)"
            fillOpacity={index * 0.035}
          />
        )
      })}
      <g fontSize={11} fill="var(--color-ink-faint)" stroke="var(--color-surface)" strokeWidth={3} paintOrder="stroke">
        {bands.map((band) => (
          <text key={band.name} x={left + 4} y={y((band.from + band.to) / 2) + 4}>
            {band.name}
          </text>
        ))}
      </g>
    </g>
  )
})

/** Reliable change (filled) and clinically important change (hollow), each in a lane of its own; the tip says up or down. */
function Lanes({ series }: { series: EstimatePoint[] }) {
  const { left, top, width, x } = usePlot()
  const lanes = [
    { name: text.reliable, marks: changeMarks(series, 'reliable_change'), y: top - 42, filled: true },
    { name: text.important, marks: changeMarks(series, 'clinically_important'), y: top - 10, filled: false },
  ]
  return (
    <g fontSize={11} fill="var(--color-ink-soft)">
      {lanes.map((lane) => (
        <g key={lane.name}>
          <path d={`M${left} ${lane.y}h${width}`} stroke="var(--color-line)" />
          {lane.marks.map(({ at, by }) => (
            <path
              key={at}
              d={by > 0 ? 'M-5 4.5 0 -4.5 5 4.5z' : 'M-5 -4.5 0 4.5 5 -4.5z'}
              transform={`translate(${x(at)} ${lane.y})`}
              fill={lane.filled ? 'var(--color-series)' : 'var(--color-surface)'}
              stroke="var(--color-series)"
              strokeWidth={1.25}
            >
              <title>{text.change(lane.name, by, dayText(at))}</title>
            </path>
          ))}
          <text x={left} y={lane.y - 9} aria-hidden="true">
            {lane.name}
          </text>
        </g>
      ))}
    </g>
  )
}

/** How many items had any evidence, day by day, in a lane below the axis. */
function KnownItems({ instrument, series }: { instrument: Instrument; series: EstimatePoint[] }) {
  const { left, top, width, height, x } = usePlot()
  const floor = top + height + 60
  const of = itemCount(instrument)
  const bars = series
    .map((point, index) => {
      const end = x(point.at)
      const start = Math.max(x(series[index - 1]?.at ?? point.at - 86_400_000), left)
      const height = (point.known_items / of) * 18
      return `M${start.toFixed(1)} ${floor}v-${height.toFixed(1)}h${(end - start).toFixed(1)}v${height.toFixed(1)}z`
    })
    .join('')
  return (
    <g aria-hidden="true" pointerEvents="none">
      <path d={bars} fill="var(--color-series-soft)" />
      <path d={`M${left} ${floor}h${width}`} stroke="var(--color-line-strong)" />
      <text x={left} y={floor - 22} fontSize={11} fill="var(--color-ink-soft)">
        {text.knownLane}
      </text>
    </g>
  )
}

/** The series as cells, newest day first. */
function estimateTable(series: readonly EstimatePoint[]): Table {
  const yes = (flag: boolean) => (flag ? text.yes : text.no)
  return {
    columns: text.columns,
    rows: [...series]
      .reverse()
      .map((point) => [
        dayCell(point.at),
        point.known_items === 0 ? null : point.estimate,
        point.known_items === 0 ? null : point.band,
        point.known_items,
        yes(point.reliable_change),
        yes(point.clinically_important),
      ]),
  }
}

/** The items behind the current estimate; unknown where there was no evidence. */
function itemTable(view: EstimateView): Table {
  return {
    columns: text.itemColumns,
    rows: view.current.items.map((item) => [
      markerNames[item.marker_type],
      item.score,
      item.by_confidence,
      item.by_frequency,
      item.days_with_evidence,
    ]),
  }
}
