/** Shapes drawn inside a chart: the tier's own outline, a tick for an acknowledgement. */
import type { RiskTier } from '../../shared/risk.ts'
import type { TrajectoryMark } from '../../shared/views.ts'
import { tierColor } from '../controls/index.ts'

/** Outlines around (0, 0) with a radius of about 1. */
const outlines: Record<RiskTier, string> = {
  crisis: 'M-.5 -.9H.5L1 0 .5 .9H-.5L-1 0z',
  high: 'M-1 0 0 -1 1 0 0 1z',
  caution: 'M0 -.9 1 .8H-1z',
  ok: 'M0 -.8a.8 .8 0 1 0 0 1.6a.8 .8 0 1 0 0 -1.6z',
}

/** The tier's shape at (x, y), `size` pixels across, with a rim that keeps it apart from what lies below. */
export function TierMark({ tier, x, y, size = 10 }: { tier: RiskTier; x: number; y: number; size?: number }) {
  const scale = size / 2
  return (
    <path
      d={outlines[tier]}
      transform={`translate(${x} ${y}) scale(${scale})`}
      fill={tier === 'ok' ? 'var(--color-surface)' : tierColor[tier]}
      stroke={tier === 'ok' ? tierColor.ok : 'var(--color-surface)'}
      strokeWidth={1.25 / scale}
      paintOrder={tier === 'ok' ? undefined : 'stroke'}
    />
  )
}

/** Corners around (0, 0) with a radius of about 1; a ring has none. */
const corners: Record<Exclude<RiskTier, 'ok'>, readonly (readonly [number, number])[]> = {
  crisis: [[-0.5, -0.9], [0.5, -0.9], [1, 0], [0.5, 0.9], [-0.5, 0.9], [-1, 0]],
  high: [[-1, 0], [0, -1], [1, 0], [0, 1]],
  caution: [[0, -0.9], [1, 0.8], [-1, 0.8]],
} // prettier-ignore

/** The shapes of many points of one tier as one path, each `size` pixels across. */
export function tierShapes(
  tier: Exclude<RiskTier, 'ok'>,
  places: readonly { x: number; y: number }[],
  size: number,
): string {
  const part = corners[tier].map(([dx, dy]) => [(dx * size) / 2, (dy * size) / 2] as const)
  return places
    .map(({ x, y }) => `M${part.map(([dx, dy]) => `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`).join('L')}z`)
    .join('')
}

/** A tick: ringed for an acknowledgement, boxed for a resolution. */
export function DoneMark({ kind, x, y }: { kind: Exclude<TrajectoryMark['kind'], 'alert'>; x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`} fill="var(--color-surface)" stroke="var(--color-ink-soft)" strokeWidth={1.25}>
      {kind === 'acknowledged' ? <circle r={5.5} /> : <rect x={-5.5} y={-5.5} width={11} height={11} rx={1.5} />}
      <path d="M-2.6 .2 -.7 2.2 2.8 -2" fill="none" strokeWidth={1.5} />
    </g>
  )
}
