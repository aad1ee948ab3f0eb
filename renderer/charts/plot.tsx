/**
 * The frame of a chart over time: as wide as its place, with scales, axes, and what is said of the point
 * at the pointer. What is drawn in it is a few paths, whatever the number of points: a chart that is live
 * must not cost more than the message that it shows.
 */
import {
  createContext,
  memo,
  use,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { startOfDay } from '../../shared/zone.ts'
import { clockText, dayText, shownZone } from '../controls/index.ts'
import { timeTicks } from './time-ticks.ts'
import { draggedRange } from './trajectory-rows.ts'

export interface TimeRange {
  /** UTC milliseconds. */
  from: number
  to: number
}

/** Where things stand in the drawing, in pixels. */
export interface Plot extends TimeRange {
  left: number
  top: number
  width: number
  height: number
  x: (at: number) => number
  y: (value: number) => number
}

interface Margin {
  top: number
  right: number
  bottom: number
  left: number
}

/** Axis labels: 11 px, faint ink. */
export const tickStyle = { fontSize: 11, fill: 'var(--color-ink-faint)' } as const
/** Room for the labels of time below the plot, pixels. */
const timeAxisHeight = 22

const PlotContext = createContext<Plot | null>(null)

/** The scales of the plot around this part. */
export function usePlot(): Plot {
  const plot = use(PlotContext)
  if (!plot) throw new Error('only inside a TimePlot')
  return plot
}

export function TimePlot<Point extends { at: number }>(props: {
  name: string
  /** More than the name, for assistive technology. */
  about: string
  range: TimeRange
  height: number
  margin: Margin
  /** Values run from 0 to this. */
  highest: number
  ticks: readonly { value: number; label: string }[]
  /** In order of time. */
  points: readonly Point[]
  /** What is said of a point at the pointer. */
  card: (point: Point) => ReactNode
  /** Drawn around the point that is spoken of; nothing where no value is given. */
  valueOf: (point: Point) => number | null
  /** Dragging over the plot chooses a range. */
  onZoom?: ((range: TimeRange) => void) | undefined
  children: ReactNode
}) {
  const { height, margin, highest } = props
  const { from, to } = props.range
  const holder = useRef<HTMLDivElement>(null)
  const width = useWidth(holder)
  const plot = useMemo(
    () => plotOf({ from, to, width, height, margin, highest }),
    [from, to, width, height, margin, highest],
  )
  return (
    <div ref={holder} className="relative" style={{ height }}>
      {width > 0 && (
        <PlotContext value={plot}>
          <svg
            data-chart
            width={width}
            height={height}
            className="block"
            role="img"
            aria-label={`${props.name}. ${props.about}`}
          >
            {props.children}
            <TimeAxis />
            <ValueAxis ticks={props.ticks} />
          </svg>
          <Pointed
            points={props.points}
            card={props.card}
            valueOf={props.valueOf}
            name={props.name}
            onZoom={props.onZoom}
          />
        </PlotContext>
      )}
    </div>
  )
}

function useWidth(holder: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = holder.current
    if (!element) return
    const measure = () => {
      if (element.clientWidth > 0) setWidth(element.clientWidth)
    }
    // Before the first paint, so that the chart is drawn once.
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [holder])
  return width
}

function plotOf({
  from,
  to,
  width,
  height,
  margin,
  highest,
}: TimeRange & { width: number; height: number; margin: Margin; highest: number }): Plot {
  const inner = {
    width: Math.max(1, width - margin.left - margin.right),
    height: height - margin.top - margin.bottom - timeAxisHeight,
  }
  return {
    from,
    to,
    left: margin.left,
    top: margin.top,
    ...inner,
    x: (at) => margin.left + ((at - from) / Math.max(to - from, 1)) * inner.width,
    y: (value) => margin.top + (1 - value / highest) * inner.height,
  }
}

/** Half of a label's width beyond the margin at the right, pixels. */
const halfLabel = 20

/** Time at round local times, with about 80 px each. */
const TimeAxis = memo(function TimeAxis() {
  const plot = usePlot()
  const zone = shownZone()
  const { from, to, width } = plot
  const floor = plot.top + plot.height
  const labels = useMemo(() => {
    const { at, step } = timeTicks(from, to, Math.max(2, Math.floor(width / 80)), zone)
    // A label whose middle is this near the right edge would be cut in half.
    const room = ((to - from) * halfLabel) / width
    return at
      .filter((tick) => tick <= to - room)
      .map((tick) => ({
        tick,
        text: step >= 86_400_000 || tick === startOfDay(tick, zone) ? dayText(tick, to) : clockText(tick),
      }))
  }, [from, to, width, zone])
  return (
    <g aria-hidden="true">
      <path
        d={`M${plot.left} ${floor}h${width}${labels.map(({ tick }) => `M${plot.x(tick).toFixed(1)} ${floor}v6`).join('')}`}
        stroke="var(--color-line-strong)"
        fill="none"
      />
      {labels.map(({ tick, text }) => (
        <text key={tick} x={plot.x(tick)} y={floor + 18} textAnchor="middle" {...tickStyle}>
          {text}
        </text>
      ))}
    </g>
  )
})

function ValueAxis({ ticks }: { ticks: readonly { value: number; label: string }[] }) {
  const { left, y } = usePlot()
  return (
    <g aria-hidden="true">
      {ticks.map(({ value, label }) => (
        <text key={value} x={left - 6} y={y(value) + 4} textAnchor="end" {...tickStyle}>
          {label}
        </text>
      ))}
    </g>
  )
}

/** What takes pointer and keys: the point nearest to them is said; a drag chooses a range. */
function Pointed<Point extends { at: number }>(props: {
  name: string
  points: readonly Point[]
  card: (point: Point) => ReactNode
  valueOf: (point: Point) => number | null
  onZoom?: ((range: TimeRange) => void) | undefined
}) {
  const plot = usePlot()
  const { points, onZoom } = props
  // Position of the point that is spoken of: points of one moment are told apart by nothing else.
  const [pointed, setPointed] = useState<number | null>(null)
  const [drag, setDrag] = useState<{ start: number; end: number } | null>(null)
  const point = pointed === null ? undefined : points[pointed]
  const pixel = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    return Math.min(Math.max(event.clientX - box.left, 0), box.width) + plot.left
  }
  const finish = () => {
    const range = drag && draggedRange(timeAt(plot, drag.start), timeAt(plot, drag.end), plot)
    if (range) onZoom?.(range)
    setDrag(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (event.key === 'Escape' && pointed !== null) setPointed(null)
    else if (by !== undefined && points.length > 0) setPointed(nextPoint(pointed, by, points.length))
    else return
    event.preventDefault()
  }
  return (
    <>
      <div
        className={`absolute touch-pan-y ${onZoom ? 'cursor-crosshair' : ''}`}
        style={{ left: plot.left, top: plot.top, width: plot.width, height: plot.height }}
        tabIndex={0}
        role="application"
        aria-label={props.name}
        onPointerDown={(event) => {
          if (event.button !== 0 || !onZoom) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ start: pixel(event), end: pixel(event) })
        }}
        onPointerMove={(event) => {
          setPointed(nearestPoint(points, timeAt(plot, pixel(event))))
          if (drag) setDrag({ ...drag, end: pixel(event) })
        }}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => setPointed(null)}
        onKeyDown={onKeyDown}
        onBlur={() => setPointed(null)}
      >
        {drag && (
          <div
            className="absolute inset-y-0 border border-focus bg-focus/15"
            style={{ left: Math.min(drag.start, drag.end) - plot.left, width: Math.abs(drag.end - drag.start) }}
          />
        )}
      </div>
      {point && (
        <Card point={point} value={props.valueOf(point)}>
          {props.card(point)}
        </Card>
      )}
    </>
  )
}

const timeAt = (plot: Plot, pixel: number): number =>
  plot.from + ((pixel - plot.left) / plot.width) * (plot.to - plot.from)

/** Position of the point that an arrow key goes to: one on or back, from an end where none is pointed at. */
export function nextPoint(pointed: number | null, by: number, count: number): number {
  const from = pointed ?? (by > 0 ? -1 : count)
  return Math.min(Math.max(from + by, 0), count - 1)
}

/** Position of the point nearest in time; −1 of none. `points` stand in order of time. */
export function nearestPoint(points: readonly { at: number }[], at: number): number {
  let low = 0
  let high = points.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (points[middle]!.at < at) low = middle + 1
    else high = middle
  }
  if (low > 0 && at - points[low - 1]!.at <= points[low]!.at - at) return low - 1
  return points.length === 0 ? -1 : low
}

/** A line at the point, a ring around it, and beside it what is said of it. */
function Card({ point, value, children }: { point: { at: number }; value: number | null; children: ReactNode }) {
  const { left, top, width, height, x, y } = usePlot()
  const at = x(point.at)
  const side = at > left + width / 2 ? { right: `calc(100% - ${at - 12}px)` } : { left: at + 12 }
  return (
    <>
      <svg className="pointer-events-none absolute inset-0 size-full overflow-visible" aria-hidden="true">
        <path d={`M${at} ${top}v${height}`} stroke="var(--color-line-strong)" />
        {value !== null && (
          <circle cx={at} cy={y(value)} r={5} fill="none" stroke="var(--color-focus)" strokeWidth={2} />
        )}
      </svg>
      <div role="status" className="pointer-events-none absolute z-10" style={{ top, ...side }}>
        {children}
      </div>
    </>
  )
}
