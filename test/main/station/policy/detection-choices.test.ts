import { describe, expect, it } from 'vitest'
import { createDetectionChoices } from '../../../../main/station/policy/detection-choices.ts'
import type { OperatingPointName } from '../../../../shared/detection.ts'
import { usualDetection } from '../../../../shared/detection.ts'
import { seconds } from '../../../../shared/time.ts'
import { recordingLogger } from '../../../support/intake-school.ts'
import { somePolicy } from '../../../support/policies.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const school = 'school-1'

function choices() {
  const clock = virtualClock()
  const { logger, entries } = recordingLogger()
  const asked: { answer: (chosen: OperatingPointName) => void; fail: () => void }[] = []
  const read = (): Promise<Awaited<ReturnType<Parameters<typeof createDetectionChoices>[0]['read']>>> =>
    new Promise((resolve, reject) =>
      asked.push({
        answer: (operating_point) =>
          resolve({
            version: 1,
            policy: somePolicy({ detection: { operating_point, weights: null, chosen: null } }),
            changed_at: 0,
            changed_by: 'admin-1',
          }),
        fail: () => reject(new Error('away')),
      }),
    )
  return { clock, entries, asked, known: createDetectionChoices({ read, clock, logger }) }
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('what a school has chosen of how its messages are read', () => {
  it('is the usual before anything is known', () => {
    expect(choices().known.of(school)).toEqual(usualDetection)
  })

  it('is known to the first message, and not asked for again by those right after it', async () => {
    const { asked, known } = choices()
    const both = Promise.all([known.know(school), known.know(school)])
    await turn()
    asked[0]!.answer('more_caution')
    await both
    await known.know(school)
    expect(known.of(school)).toEqual({ operating_point: 'more_caution', weights: null })
    expect(asked).toHaveLength(1)
  })

  it('is asked for again after a while, and at once where it was changed here', async () => {
    const { clock, asked, known } = choices()
    const ask = async (chosen: OperatingPointName): Promise<void> => {
      const known_ = known.know(school)
      await turn()
      asked.at(-1)!.answer(chosen)
      await known_
    }
    await ask('more_caution')
    clock.advance(seconds(16))
    await ask('balanced')
    expect(known.of(school).operating_point).toBe('balanced')
    known.changed(school)
    await ask('fewer_alarms')
    expect(known.of(school).operating_point).toBe('fewer_alarms')
  })

  it('stays the last known where the database does not answer: no message waits for it', async () => {
    const { clock, entries, asked, known } = choices()
    const first = known.know(school)
    await turn()
    asked[0]!.answer('more_caution')
    await first
    known.changed(school)
    const second = known.know(school)
    await turn()
    clock.advance(seconds(1))
    await second
    expect(known.of(school).operating_point).toBe('more_caution')
    asked[1]!.fail()
    await turn()
    expect(entries).toMatchObject([{ level: 'warn' }])
    const third = known.know(school)
    await turn()
    asked[2]!.answer('balanced')
    await third
    expect(known.of(school).operating_point).toBe('balanced')
  })

  it('is the one chosen last, whichever answer comes first', async () => {
    const { asked, known } = choices()
    const first = known.know(school)
    await turn()
    known.changed(school)
    const second = known.know(school)
    await turn()
    asked[1]!.answer('fewer_alarms')
    asked[0]!.answer('balanced')
    await Promise.all([first, second])
    expect(known.of(school).operating_point).toBe('fewer_alarms')
  })
})
