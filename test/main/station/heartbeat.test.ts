import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { startHeartbeat } from '../../../main/station/heartbeat.ts'
import { minutes } from '../../../shared/time.ts'
import { intakeSchool, school, type IntakeSchool } from '../../support/intake-school.ts'

let at: IntakeSchool
beforeEach(() => (at = intakeSchool()))
afterEach(() => at.close())

it('a heartbeat that meets a full disk comes with the next minute, until it is stopped', () => {
  at.db.exec(`CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END`)
  const { db, clock, logger } = at
  const common = { db, clock, logger, randomness: systemRandomness, onQueued: () => undefined }
  const stop = startHeartbeat({ ...common, schools: [school], stationId: 'station-1' })
  clock.advance(minutes(1))
  at.db.exec('DROP TRIGGER full')
  clock.advance(minutes(1))
  expect(at.events()).toMatchObject([{ event_type: 'HEARTBEAT', school_id: school, source: 'station-1' }])
  expect(at.entries.filter(({ level }) => level === 'error')).toHaveLength(2)
  stop()
  clock.advance(minutes(5))
  expect(at.events()).toHaveLength(1)
})
