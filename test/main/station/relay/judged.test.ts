import { describe, expect, it } from 'vitest'
import { judged, type Judges } from '../../../../main/station/relay/judged.ts'

const said = (action: string, changes: object = {}) => ({
  ...{ event_type: 'ALERT_ACTION', ack_id: 'a-1', action, session_id: 's-1', school_id: 'school', by: 'marlow' },
  ...changes,
})
const now = Date.UTC(2026, 0, 20, 10)
const judge = (message: object, { refusal = null, known = ['marlow'] }: Partial<Said> = {}) =>
  judged(JSON.stringify(message), message as Record<string, unknown>, now, {
    refusalOf: () => Promise.resolve(refusal),
    schoolOf: () => Promise.resolve('school of the console'),
    isKnownPerson: (_school, person) => Promise.resolve(known.includes(person)),
  })
interface Said {
  refusal: Awaited<ReturnType<Judges['refusalOf']>>
  known: string[]
}

describe('what a station says of a record that it relays', () => {
  it('nothing, where an approved console has signed it and the person is known', async () => {
    for (const action of ['acknowledged', 'resolved', 'noted'])
      expect((await judge(said(action)))?.event).toEqual(said(action))
  })

  it('refuses what bears the name of an approved console that did not sign it', async () => {
    const relayed = await judge(said('noted'), { refusal: 'signature' })
    expect(relayed?.event).toMatchObject({ refused: 'signature', refused_record: 'a-1' })
    expect(relayed?.ack_id).not.toBe('a-1')
  })

  it.each(['unsigned', 'console not approved'] as const)('shows what is %s for what it is', async (refusal) => {
    expect((await judge(said('acknowledged'), { refusal }))?.event).toEqual(
      said('acknowledged', { unvouched: refusal }),
    )
  })

  it.each(['unsigned', 'console not approved'] as const)('lets nothing that is %s close an alert', async (refusal) => {
    const relayed = await judge(said('resolved'), { refusal })
    expect(relayed?.event).toMatchObject({ refused: refusal, refused_record: 'a-1' })
    // Under its own id it would be taken for what the console that sent it has.
    expect(relayed?.ack_id).toMatch(/^refused:/)
  })

  it('lets nobody hold or close an alert who is not in the directory, and says so to their own console too', async () => {
    const stranger = said('resolved', { by: 'stranger' })
    expect((await judge(stranger))?.event).toEqual({ ...stranger, refused: 'unknown person' })
    const taken = said('acknowledged', { by: 'stranger' })
    expect((await judge(taken))?.event).toEqual({ ...taken, unvouched: 'unknown person' })
    const noted = said('noted', { by: 'stranger' })
    expect((await judge(noted))?.event).toEqual(noted)
  })

  it('takes what names no school for a word about the school of the console that signed it', async () => {
    const relayed = await judge(said('resolved', { school_id: undefined }))
    expect(relayed).toMatchObject({ school_id: 'school of the console', event: { school_id: 'school of the console' } })
    expect((await judge(said('noted', { school_id: '' }), { refusal: 'unsigned' }))?.school_id).toBe('')
  })

  it.each(['at', 'timestamp', 'acknowledged_at'])('relays nothing whose %s is more than a day ahead', async (name) => {
    const time = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
    expect(await judge(said('noted', { [name]: time(25) }))).toBeNull()
    expect(await judge(said('noted', { [name]: time(23) }))).not.toBeNull()
  })

  it('believes nothing that a sender says of it', async () => {
    const claims = { position: 7, refused: 'never', refused_record: 'x', unvouched: 'never', backfill: true }
    expect((await judge(said('noted', claims)))?.event).toEqual(said('noted'))
  })

  it('is no action', async () => {
    expect(await judge({ event_type: 'HEARTBEAT', ack_id: 'a-1' })).toBeNull()
  })
})
