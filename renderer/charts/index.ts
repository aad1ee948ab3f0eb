/** The charts of every screen. The inbox must stand before their library is loaded, so that comes when first needed. */
import { lazy } from 'react'

const drawn = () => import('./drawn.ts')

/** Fetches the charts' library ahead, where a chart is likely next. */
export const prepareCharts = (): void => void drawn()

export const BarsPerDay = lazy(async () => ({ default: (await drawn()).BarsPerDay }))
export const EstimateChart = lazy(async () => ({ default: (await drawn()).EstimateChart }))
export const Histogram = lazy(async () => ({ default: (await drawn()).Histogram }))
export const RiskTrajectory = lazy(async () => ({ default: (await drawn()).RiskTrajectory }))
export { ItemHeatMap } from './item-heat-map.tsx'
export { MiniTrajectory } from './mini-trajectory.tsx'
export { Sparkline } from './sparkline.tsx'
