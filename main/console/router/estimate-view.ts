import { clinicallyImportantDifference, itemsOf, reliableChange, type Instrument } from '../../../shared/estimates.ts'
import { days } from '../../../shared/time.ts'
import type { EstimatePoint, EstimateView } from '../../../shared/views.ts'
import { startOfDay } from '../../../shared/zone.ts'
import { clinicalEvidence, type Database, type StudentKey } from '../../store/console/index.ts'

/** Days the charts look back. */
const shownDays = 60

/** PHQ-9 or GAD-7 estimates of one student: now, day by day in the days of `zone`, and the items behind them. */
export async function estimateView(
  db: Database,
  query: { student: StudentKey; instrument: Instrument; window_days: 14 | 30; now: number; zone: string },
): Promise<EstimateView> {
  // A console shows its alerts without it: loaded where it is wanted.
  const { estimate } = await import('../../analysis/index.ts')
  const { instrument, window_days, now, zone } = query
  const { markers, messageTimes } = clinicalEvidence(db, query.student, now - days(shownDays + window_days))
  const messageDays = daysOf(messageTimes, zone)
  const at = (end: number) => {
    const inWindow = (time: number) => time > end - days(window_days) && time <= end
    return estimate(
      instrument,
      markers.filter((marker) => inWindow(marker.at)),
      messageDays.filter((day) => day + days(1) > end - days(window_days) && day <= end),
      end,
      window_days,
    )
  }
  const firstDay = messageDays.find((day) => day >= now - days(shownDays))
  const dayList = firstDay === undefined ? [] : daysBetween(firstDay, now, zone)
  /** Where each of these days ends: where the next one begins. */
  const ends = dayList.map((day, index) => dayList[index + 1] ?? startOfDay(day, zone, 1))
  return {
    instrument,
    window_days,
    current: at(now),
    series: changeMarks(
      instrument,
      ends.map((end) => ({ at: Math.min(end - 1, now), ...at(Math.min(end - 1, now)) })),
    ),
    heat: {
      days: dayList,
      rows: itemsOf(instrument).map((marker_type) => ({
        marker_type,
        cells: dayList.map((day, index) => {
          const found = markers.filter(
            (marker) => marker.marker_type === marker_type && marker.at >= day && marker.at < (ends[index] ?? day),
          )
          return found.length === 0 ? null : Math.max(...found.map(({ confidence }) => confidence))
        }),
      })),
    },
  }
}

/** Starts of the zone's days that these times (ascending) fall in. */
function daysOf(times: readonly number[], zone: string): number[] {
  const starts: number[] = []
  let next = -Infinity
  for (const time of times) {
    if (time < next) continue
    starts.push(startOfDay(time, zone))
    next = startOfDay(time, zone, 1)
  }
  return starts
}

/** Starts of the zone's days from the one that begins at `first` to that of `last`. */
function daysBetween(first: number, last: number, zone: string): number[] {
  const starts: number[] = []
  for (let day = first; day <= last; day = startOfDay(day, zone, 1)) starts.push(day)
  return starts
}

/**
 * Marks changes against the estimate of the last mark (first the series' beginning), so that a slow
 * rise is marked when it has reached the size, and once.
 */
function changeMarks(
  instrument: Instrument,
  series: Omit<EstimatePoint, 'reliable_change' | 'clinically_important'>[],
): EstimatePoint[] {
  let reliableFrom = series[0]?.estimate ?? 0
  let importantFrom = reliableFrom
  return series.map(({ at, estimate, known_items, band }) => {
    const reliable_change = Math.abs(estimate - reliableFrom) >= reliableChange[instrument]
    const clinically_important = Math.abs(estimate - importantFrom) >= clinicallyImportantDifference[instrument]
    if (reliable_change) reliableFrom = estimate
    if (clinically_important) importantFrom = estimate
    return { at, estimate, known_items, band, reliable_change, clinically_important }
  })
}
