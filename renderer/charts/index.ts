/** The charts of every screen. Bars come from a library that is loaded when the first of them is shown. */
import { lazy } from 'react'

const bars = () => import('./bars.ts')

export const BarsPerDay = lazy(async () => ({ default: (await bars()).BarsPerDay }))
export const Histogram = lazy(async () => ({ default: (await bars()).Histogram }))
export { EstimateChart } from './estimate-chart.tsx'
export { ItemHeatMap } from './item-heat-map.tsx'
export { MiniTrajectory } from './mini-trajectory.tsx'
export { RiskTrajectory } from './risk-trajectory.tsx'
export { Sparkline } from './sparkline.tsx'
