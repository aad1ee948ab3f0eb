import { clinicallyImportantDifference, itemsOf, reliableChange, type Instrument } from '../../../shared/estimates.ts'
import { days } from '../../../shared/time.ts'
import type { EstimatePoint, EstimateView } from '../../../shared/views.ts'
import { clinicalEvidence, type Database, type StudentKey } from '../../store/console/index.ts'

/** Days the charts look back. */
const shownDays = 60

/** PHQ-9 or GAD-7 estimates of one student: now, day by day, and the items behind them. */
export async function estimateView(
  db: Database,
  query: { student: StudentKey; instrument: Instrument; window_days: 14 | 30; now: number },
): Promise<EstimateView> {
  // A console shows its alerts without it: loaded where it is wanted.
  const { estimate } = await import('../../analysis/index.ts')
  const { instrument, window_days, now } = query
  const { markers, messageDays } = clinicalEvidence(db, query.student, now - days(shownDays + window_days))
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
  const today = Math.floor(now / days(1)) * days(1)
  const dayList =
    firstDay === undefined
      ? []
      : Array.from({ length: Math.floor((today - firstDay) / days(1)) + 1 }, (_, index) => firstDay + index * days(1))
  return {
    instrument,
    window_days,
    current: at(now),
    series: changeMarks(
      instrument,
      dayList.map((day) => ({ at: Math.min(day + days(1) - 1, now), ...at(Math.min(day + days(1) - 1, now)) })),
    ),
    heat: {
      days: dayList,
      rows: itemsOf(instrument).map((marker_type) => ({
        marker_type,
        cells: dayList.map((day) => {
          const found = markers.filter(
            (marker) => marker.marker_type === marker_type && marker.at >= day && marker.at < day + days(1),
          )
          return found.length === 0 ? null : Math.max(...found.map(({ confidence }) => confidence))
        }),
      })),
    },
  }
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
