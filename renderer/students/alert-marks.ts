import { worseTier, type RiskTier } from '../../shared/risk.ts'
import type { TrajectoryMark } from '../../shared/views.ts'

export interface StudentAlert {
  key: string
  tier: RiskTier
  raised_at: number | null
  acknowledged_at: number | null
  resolved_at: number | null
}

/** The alerts behind the marks of a trajectory, newest first; each mark's first time counts. */
export function alertsOfMarks(marks: readonly TrajectoryMark[]): StudentAlert[] {
  const alerts = new Map<string, StudentAlert>()
  for (const mark of [...marks].sort((a, b) => a.at - b.at)) {
    const alert = alerts.get(mark.alert_key) ?? {
      key: mark.alert_key, tier: mark.tier, raised_at: null, acknowledged_at: null, resolved_at: null,
    } // prettier-ignore
    alert.tier = worseTier(alert.tier, mark.tier)
    const field = ({ alert: 'raised_at', acknowledged: 'acknowledged_at', resolved: 'resolved_at' } as const)[mark.kind]
    alert[field] ??= mark.at
    alerts.set(mark.alert_key, alert)
  }
  const newest = (alert: StudentAlert) => alert.raised_at ?? alert.acknowledged_at ?? alert.resolved_at ?? 0
  return [...alerts.values()].sort((a, b) => newest(b) - newest(a))
}
