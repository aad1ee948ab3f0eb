/** Everything that needs the charts' library. */
export { BarsPerDay } from './bars-per-day.tsx'
export { Histogram } from './histogram.tsx'
