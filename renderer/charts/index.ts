/** The charts of every screen. */
export { BarsPerDay, type DayCount } from './bars-per-day.tsx'
export { EstimateChart } from './estimate-chart.tsx'
export { Histogram } from './histogram.tsx'
export { ItemHeatMap } from './item-heat-map.tsx'
export { MiniTrajectory } from './mini-trajectory.tsx'
export { RiskTrajectory } from './risk-trajectory.tsx'
export { Sparkline } from './sparkline.tsx'
export type { TimeRange } from './trajectory-plot.tsx'
