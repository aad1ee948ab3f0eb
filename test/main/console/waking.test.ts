import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDueWatch } from '../../../main/console/alerts/index.ts'
import { watchWaking } from '../../../main/console/waking.ts'
import type { Shell } from '../../../main/platform/ports.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { silentLogger } from '../../support/logger.ts'
import { marlow, openRecord, type OpenRecord } from '../../support/record.ts'
import { crisis, noon, school } from '../../support/wire.ts'

let at: OpenRecord
let stop: () => void
let shellSays: (what: 'suspend' | 'resume') => void = () => undefined
let listening = 0
const shell: Pick<Shell, 'onPower'> = {
  onPower(listener) {
    shellSays = listener
    listening++
    return () => void listening--
  },
}
const begin = (host: Pick<Shell, 'onPower'>) => {
  stop = watchWaking({ changes: at.changes, clock: at.clock, logger: silentLogger, shell: host })
}
beforeEach(() => void (at = openRecord()))
afterEach(() => {
  stop()
  expect(listening).toBe(0)
  at.close()
})
const wakings = () => at.heard.filter(({ woke }) => woke).length

describe('a machine that wakes', () => {
  it('is told at once where the shell says so, and going to sleep tells nothing', () => {
    begin(shell)
    shellSays('suspend')
    expect(wakings()).toBe(0)
    at.clock.jump(hours(8))
    shellSays('resume')
    expect(wakings()).toBe(1)
    at.clock.advance(minutes(1))
    expect(wakings()).toBe(1)
  })

  it('is noticed within seconds where no shell says so, once for each sleep', () => {
    begin({})
    at.clock.advance(minutes(10))
    expect(wakings()).toBe(0)
    for (let time = 1; time <= 2; time++) {
      at.clock.jump(hours(8))
      at.clock.advance(seconds(5))
      expect(wakings()).toBe(time)
      at.clock.advance(minutes(1))
      expect(wakings()).toBe(time)
    }
  })

  it('is no machine that was busy for a moment, and a clock that was set back is noticed as well', () => {
    begin({})
    at.clock.jump(seconds(14))
    at.clock.advance(seconds(5))
    expect(wakings()).toBe(0)
    at.clock.jump(-hours(1))
    at.clock.advance(seconds(5))
    expect(wakings()).toBe(1)
  })

  it('opens at once again what was promised for the time that it slept', async () => {
    await at.receive(crisis({ session_id: 's', at: noon }))
    const key = String(at.rows('SELECT key FROM alerts')[0]?.['key'])
    at.lifecycle.act(key, marlow, { action: 'acknowledged', due_at: noon + minutes(15) })
    const due = createDueWatch({
      ...{ db: at.db, changes: at.changes, clock: at.clock, lifecycle: at.lifecycle },
      schoolId: () => school,
    })
    due.start()
    begin(shell)
    at.clock.jump(hours(8))
    expect(at.eventLog.alertBehind(key)?.state).toBe('acknowledged')
    shellSays('resume')
    expect(at.eventLog.alertBehind(key)?.state).toBe('open')
    due.stop()
  })
})
