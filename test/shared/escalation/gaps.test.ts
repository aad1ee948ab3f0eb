import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapsInOnCall, instantOf, whoIsTold } from '../../../shared/escalation/index.ts'
import { onCallSchema, usualOnCall, type Channel, type Rung } from '../../../shared/on-call.ts'
import { minutes } from '../../../shared/time.ts'
import { anyOnCall, policyOnCall, rotaOf, rung } from '../../support/on-call.ts'
import { listed } from '../../support/policies.ts'

const zone = 'America/New_York'
const osei = listed('osei', { name: 'K. Osei', channels: { sms: null, voice: null, email: 'osei@school.example' } })
const people = [listed('admin', { role: 'ADMIN' }), osei, listed('p1', { name: 'A. Rivera' })]
const now = instantOf('2026-11-24T09:00', zone)
const rota = { kind: 'rota' as const, rota: 'rota-1' }
const everyone = rung(0, [{ kind: 'role', role: 'ADMIN' }])

const gaps = (parts: Parameters<typeof policyOnCall>[0], who = people) =>
  gapsInOnCall(policyOnCall(parts, { people: who, time_zone: zone }), now)

describe('gaps in rotas and ladders', () => {
  it('are none by the usual ones, where a school has an admin alone', () => {
    expect(gaps(usualOnCall, [listed('admin', { role: 'ADMIN' })])).toEqual([])
    expect(onCallSchema.parse(usualOnCall)).toEqual(usualOnCall)
  })

  it('name a ladder without rungs, and rungs that tell nobody, or by no way', () => {
    expect(gaps({ crisis: [] })).toEqual([
      {
        path: ['on_call', 'ladders', 'crisis', 'rungs'],
        gap: 'Nobody would be told of a crisis: its ladder has no steps.',
      },
    ])
    expect(gaps({ crisis: [everyone, rung(5, []), rung(10, [{ kind: 'assigned' }], [])] })).toEqual([
      { path: ['on_call', 'ladders', 'crisis', 'rungs', 1, 'to'], gap: 'Nobody is told at step 2.' },
      { path: ['on_call', 'ladders', 'crisis', 'rungs', 2, 'channels'], gap: 'Step 3 says no way to tell anyone.' },
    ])
  })

  it('name rungs whose only ways the station has not', () => {
    const texted = listed('p2', { name: 'B. Lee', channels: { sms: '+15550100', voice: null, email: null } })
    const to = [{ kind: 'person' as const, person: 'p2' }]
    const of = (crisis: Rung[], ways: Channel[] | null) =>
      gapsInOnCall(policyOnCall({ crisis }, { people: [...people, texted], time_zone: zone }), now, ways)
    const path = ['on_call', 'ladders', 'crisis', 'rungs', 0, 'channels']
    const set = 'choose another way, or ask the people who run it to set this one up.'
    expect(of([rung(0, to, ['sms'])], ['desktop', 'sms'])).toEqual([])
    expect(of([rung(0, to, ['sms'])], null)).toEqual([])
    expect(of([rung(0, to, ['sms'])], ['desktop', 'email'])).toEqual([
      { path, gap: `Step 1 only texts, and this station cannot text: ${set}` },
    ])
    expect(of([rung(0, to, ['sms', 'voice'])], ['desktop'])).toEqual([
      { path, gap: `Step 1 only texts and calls, and this station cannot text or call: ${set}` },
    ])
    expect(of([rung(0, to, ['sms', 'email'])], ['desktop', 'email'])).toEqual([
      { path, gap: 'B. Lee has no e-mail address, and by what this station has set up step 1 only e-mails.' },
    ])
    // A demonstration calls nobody away from their console.
    expect(gapsInOnCall(policyOnCall({}, { people }), now, ['desktop'])).toEqual([])
  })

  it('name rungs that do not come one after the other', () => {
    expect(
      gaps({ crisis: [everyone, { ...everyone, after_minutes: 10 }, { ...everyone, after_minutes: 10 }] }),
    ).toEqual([
      {
        path: ['on_call', 'ladders', 'crisis', 'rungs', 2, 'after_minutes'],
        gap: 'Step 3 does not come later than step 2.',
      },
    ])
  })

  it('name targets that are not there', () => {
    const crisis = [rung(0, [rota, { kind: 'person', person: 'gone' }])]
    expect(gaps({ crisis })).toEqual([
      {
        path: ['on_call', 'ladders', 'crisis', 'rungs', 0, 'to', 0],
        gap: 'Step 1 tells an on-call rota that is not there.',
      },
      {
        path: ['on_call', 'ladders', 'crisis', 'rungs', 0, 'to', 1],
        gap: 'Step 1 tells someone who is not in the directory.',
      },
    ])
  })

  it('name a person whom no channel of a rung reaches, named by it or on its rota', () => {
    const second = (who: typeof rota | { kind: 'person'; person: string }) => [
      everyone,
      rung(5, [who], ['sms', 'voice']),
    ]
    const path = ['on_call', 'ladders', 'crisis', 'rungs', 1, 'channels']
    const gap = 'K. Osei has no phone number, and step 2 only texts and calls.'
    expect(gaps({ crisis: second({ kind: 'person', person: 'osei' }) })).toEqual([{ path, gap }])
    const texted = listed('p1', { channels: { sms: '+15550142777', voice: null, email: null } })
    const turns = [rotaOf(['osei', 'p1'])]
    expect(gaps({ rotas: turns, crisis: second(rota) }, [...people.slice(0, 2), texted])).toEqual([{ path, gap }])
    const covers = [
      rotaOf(['p1'], { overrides: [{ person: 'osei', from: '2026-12-01T08:00', to: '2026-12-02T08:00' }] }),
    ]
    expect(gaps({ rotas: covers, crisis: second(rota) }, [...people.slice(0, 2), texted])).toEqual([{ path, gap }])
    expect(gaps({ crisis: [everyone, rung(5, [{ kind: 'person', person: 'osei' }], ['sms', 'email'])] })).toEqual([])
  })

  it('name a rota that is there twice, or that nobody is left of', () => {
    expect(gaps({ rotas: [rotaOf(['p1']), rotaOf(['gone'], { name: 'Nights' })] })).toEqual([
      { path: ['on_call', 'rotas', 1, 'id'], gap: 'The rota “Nights” is there twice.' },
      {
        path: ['on_call', 'rotas', 1, 'rotation', 'people'],
        gap: 'No one on the rota “Nights” is in the directory any more.',
      },
    ])
    expect(gaps({ rotas: [rotaOf(['p1', 'gone'])] })).toEqual([
      {
        path: ['on_call', 'rotas', 0, 'rotation', 'people', 1],
        gap: 'Turn 2 of the rota “Crisis rota” is of someone who is not in the directory.',
      },
    ])
  })

  it('name covers and absences that end before they begin', () => {
    const backwards = { from: '2026-12-02T08:00', to: '2026-12-01T08:00' }
    expect(
      gaps({
        rotas: [rotaOf(['p1'], { overrides: [{ person: 'osei', ...backwards }] })],
        away: [{ person: 'p1', ...backwards }],
      }),
    ).toEqual([
      {
        path: ['on_call', 'rotas', 0, 'overrides', 0, 'to'],
        gap: 'Cover 1 of the rota “Crisis rota” ends before it starts.',
      },
      { path: ['on_call', 'away', 0, 'to'], gap: 'Absence 1 ends before it starts.' },
    ])
  })

  it('forgive a cover that is over to somebody who has left since', () => {
    const over = { person: 'gone', from: '2026-10-01T08:00', to: '2026-10-02T08:00' }
    expect(gaps({ rotas: [rotaOf(['p1'], { overrides: [over] })] })).toEqual([])
  })
})

describe('a time at which nobody would be told', () => {
  const path = ['on_call', 'ladders', 'crisis']
  const away = (from: string, to: string) => [{ person: 'p1', from, to }]
  const onRota = { rotas: [rotaOf(['p1'])], crisis: [rung(0, [{ kind: 'assigned' }]), rung(5, [rota])] }

  it('is named as people say it', () => {
    expect(gaps({ ...onRota, away: away('2026-11-28T02:00', '2026-11-28T06:00') })).toEqual([
      { path, gap: 'From Saturday, November 28, 2:00 AM to 6:00 AM nobody would be told of a crisis.' },
    ])
    expect(gaps({ ...onRota, away: away('2026-11-20T02:00', '2026-11-29T06:00') })).toEqual([
      { path, gap: 'From now to Sunday, November 29, 6:00 AM nobody would be told of a crisis.' },
    ])
    expect(gaps({ ...onRota, away: away('2026-12-24T12:00', '2027-12-24T12:00') })).toEqual([
      { path, gap: 'From Thursday, December 24, 12:00 PM on nobody would be told of a crisis.' },
    ])
  })

  it('is counted where it comes again', () => {
    const rotas = [rotaOf(['p1'], { hours: 'school hours' })]
    expect(gaps({ ...onRota, rotas })).toEqual([
      {
        path,
        gap: 'From Tuesday, November 24, 4:00 PM to Wednesday, November 25, 8:00 AM nobody would be told of a crisis, and 29 more times in the next eight weeks.',
      },
    ])
  })

  it('is every time where only the counselor of a student is told', () => {
    expect(gaps({ crisis: [rung(0, [{ kind: 'assigned' }])] })).toEqual([
      { path, gap: 'Nobody would be told of a crisis for a student without a counselor of their own.' },
    ])
  })

  it('is named wherever looking every half hour of eight weeks finds one', () => {
    fc.assert(
      fc.property(anyOnCall, (policy) => {
        const from = Date.UTC(2026, 9, 1)
        const { rungs } = policy.on_call.ladders.crisis
        const found = gapsInOnCall(policy, from)
        const inTime = found.some((gap) => gap.path.length === 3 && gap.path[2] === 'crisis')
        const others = found.some((gap) => gap.path.length > 3)
        const silent = Array.from({ length: 56 * 48 }, (_, half) => from + half * minutes(30)).some((at) =>
          rungs.every((each) => whoIsTold(policy, each, at, { assigned: null }).people.length === 0),
        )
        if (!others) expect(inTime).toBe(silent)
      }),
      { numRuns: 25 },
    )
  })
})
