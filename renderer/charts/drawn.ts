/** Everything that needs the charts' library: one part of the program, loaded when the first chart is shown. */
export { BarsPerDay } from './bars-per-day.tsx'
export { EstimateChart } from './estimate-chart.tsx'
export { Histogram } from './histogram.tsx'
export { RiskTrajectory } from './risk-trajectory.tsx'
export { TrajectoryPlot } from './trajectory-plot.tsx'
