/** Risk is always shape, word and color together. */
import type { RiskTier } from '../../shared/risk.ts'
import { words } from '../words/index.ts'

/** Tailwind text color of a tier. */
const tierText: Record<RiskTier, string> = {
  crisis: 'text-crisis',
  high: 'text-high',
  caution: 'text-caution',
  ok: 'text-ok',
}

/** CSS color of a tier, for charts. */
export const tierColor: Record<RiskTier, string> = {
  crisis: 'var(--color-crisis)',
  high: 'var(--color-high)',
  caution: 'var(--color-caution)',
  ok: 'var(--color-ok)',
}

/** Outline of each tier's shape in a 12 × 12 box: hexagon, diamond, triangle, ring. */
const shapes: Record<RiskTier, string> = {
  crisis: 'M3.2 0.8h5.6l2.8 5.2-2.8 5.2H3.2L0.4 6z',
  high: 'M6 0.4 11.6 6 6 11.6 0.4 6z',
  caution: 'M6 1 11.4 10.8H0.6z',
  ok: 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z',
}

/** The tier's shape alone; use it only where the word stands beside it. */
export function TierShape({ tier, size = 12 }: { tier: RiskTier; size?: number }) {
  return (
    <svg
      viewBox="0 0 12 12"
      width={size}
      height={size}
      className={`shrink-0 ${tierText[tier]}`}
      aria-hidden="true"
      focusable="false"
    >
      <path
        d={shapes[tier]}
        fill={tier === 'ok' ? 'none' : 'currentColor'}
        stroke={tier === 'ok' ? 'currentColor' : 'none'}
        strokeWidth={1.5}
      />
    </svg>
  )
}

/** Shape and word in the tier's color; nothing seen is not stressed. `strong` lays it on the tier's ground. */
export function TierBadge({ tier, strong = false }: { tier: RiskTier; strong?: boolean }) {
  const ground = strong ? `rounded px-1.5 py-0.5 ${groundOf[tier]}` : ''
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap ${tier === 'ok' ? '' : 'font-semibold'} ${tierText[tier]} ${ground}`}
    >
      <TierShape tier={tier} />
      {words.tier[tier]}
    </span>
  )
}

const groundOf: Record<RiskTier, string> = {
  crisis: 'bg-crisis-ground',
  high: 'bg-high-ground',
  caution: 'bg-caution-ground',
  ok: 'bg-ok-ground',
}
