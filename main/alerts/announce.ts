import { minutes } from '../../shared/time.ts'
import type { AlertRow } from '../../shared/views.ts'
import type { Ports } from '../platform/ports.ts'
import { alertRow, openCounts, type Database, type Touched } from '../store/index.ts'

/** A notification that names nobody and quotes nothing, for alerts that are news. */
export function announce(
  db: Database,
  { clock, shell }: Pick<Ports, 'clock' | 'shell'>,
  schoolId: string,
  touched: Touched,
): void {
  const recent = (row: AlertRow) => row.state === 'open' && clock.now() - row.received_at < minutes(5)
  const news = touched.alerts
    .filter(({ opened, reopened }) => opened || reopened)
    .map(({ key }) => alertRow(db, schoolId, key))
    .filter((row) => row !== null && recent(row))
  const crisis = news.some((row) => row?.tier === 'crisis')
  if (news.length > 0)
    shell.notify({
      title: crisis ? 'Crisis alert' : 'Alert',
      body: 'A student may need help now. Open PsyFlo Console.',
      urgent: crisis,
    })
  shell.badge(openCounts(db, schoolId).unacknowledged)
}
