/** A station as far as it keeps directories: in this process, and over REST as contracts.md has it. */
import { SignJWT } from 'jose'
import type { StationPolicy } from '../../main/console/policy/index.ts'
import { readSignInToken } from '../../main/platform/sign-in-token.ts'
import {
  assignmentSchema,
  gapsIn,
  policySchema,
  type Assignment,
  type KeptPolicy,
  type Policy,
  type PolicyChange,
} from '../../shared/policy.ts'
import { gapsOpened } from '../../shared/escalation/index.ts'
import { usualOnCall, usualSchoolHours } from '../../shared/on-call.ts'
import { usualDetection } from '../../shared/detection.ts'
import { defaultGuide } from '../../shared/guide.ts'
import { httpServer, json, type Answering } from './http-server.ts'
import { testSchool, testSecret } from './sign-in.ts'

export const emptyPolicy: Policy = {
  people: [],
  calendar: { time_zone: 'UTC', closed: [], periods: [], hours: structuredClone(usualSchoolHours) },
  crisis_numbers: [],
  guide: [...defaultGuide],
  on_call: structuredClone(usualOnCall),
  detection: structuredClone(usualDetection),
}

export const unreached = { sms: null, voice: null, email: null }
export const listed = (id: string, name: string, role: Policy['people'][number]['role'] = 'COUNSELOR') => ({
  ...{ id, name, role, school_ids: [testSchool] },
  channels: unreached,
})
export const filledPolicy: Policy = {
  people: [
    { ...listed('dean', 'A. Dean', 'ADMIN'), channels: { sms: '+15550100', voice: null, email: 'dean@school.test' } },
    listed('marlow', 'J. Marlow'),
  ],
  calendar: {
    time_zone: 'America/Chicago',
    closed: [{ name: 'Winter break', from: '2026-12-21', to: '2027-01-02' }],
    periods: [1, 2, 3].map((weekday) => ({ name: 'First lesson', weekday, from: '08:00', to: '08:45' })),
    hours: structuredClone(usualSchoolHours),
  },
  crisis_numbers: [{ name: 'Counseling office', contact: '555-0142' }],
  guide: [...defaultGuide],
  on_call: structuredClone(usualOnCall),
  detection: structuredClone(usualDetection),
}

/** Whatever `PUT /policy` was told, and who was assigned to whom; `saved` is told of every version. */
export function policyKeeper(
  first: Policy = emptyPolicy,
  saved: (kept: KeptPolicy, school: string) => void = () => undefined,
) {
  const schools = new Map<string, KeptPolicy>()
  const assignments = new Map<string, string | null>()
  const calls: Assignment[][] = []
  const by: string[] = []
  const at = (school: string): KeptPolicy =>
    schools.get(school) ?? { version: 0, policy: first, changed_at: null, changed_by: null }
  const station: StationPolicy = {
    read: async (school) => structuredClone(at(school)),
    async save({ school_id, by: changed_by, version, policy, follows }): Promise<PolicyChange> {
      const { policy: before } = at(school_id)
      const opened = follows ? [] : gapsOpened(before === first ? null : before, policy, Date.now())
      const gaps = [...gapsIn(policy, school_id), ...opened]
      if (gaps.length > 0) return { gaps }
      if (version !== at(school_id).version) return { stale: structuredClone(at(school_id)) }
      const kept = {
        version: version + 1,
        policy: structuredClone(policy),
        changed_at: Date.UTC(2026, 0, 20, 12),
        changed_by,
      }
      schools.set(school_id, kept)
      saved(kept, school_id)
      return { changed: structuredClone(kept) }
    },
    async assign({ school_id, by: assigned_by, assignments: some }) {
      const known = at(school_id).policy.people.map(({ id }) => id)
      if (some.some(({ person_id }) => person_id !== null && !known.includes(person_id)))
        throw new Error('somebody is not in the directory')
      calls.push([...some])
      by.push(assigned_by)
      for (const { student_hash, person_id } of some) assignments.set(student_hash, person_id)
    },
  }
  return { station, at, assignments, calls, by }
}
export type PolicyKeeper = ReturnType<typeof policyKeeper>

/** The same keeper behind a real HTTP server on loopback. */
export async function policyStation(keeper: PolicyKeeper) {
  const signIn = { jwtSecret: testSecret, jwksUrl: null, jwtIssuer: null, jwtAudience: null }
  const body = ({ version, policy, changed_at, changed_by }: KeptPolicy) => ({
    ...{ version, policy, changed_by },
    changed_at: changed_at === null ? null : new Date(changed_at).toISOString(),
  })
  const answer: Answering = (response, request) => {
    const said = server.asked.at(-1)?.body ?? ''
    const reply = (status: number, value?: unknown): void =>
      void (value === undefined ? response.writeHead(status).end() : json(value, status)(response, request))
    const route = async (): Promise<void> => {
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const person = await readSignInToken(token, signIn, Date.now()).catch(() => null)
      if (!person) return reply(401, { error: 'no token' })
      const { school_id, role, id: by } = person
      if (request.method === 'GET' && request.url === '/policy') {
        response.setHeader('etag', `"${keeper.at(school_id).version}"`)
        return reply(200, body(keeper.at(school_id)))
      }
      if (role !== 'ADMIN') return reply(403, { error: 'not an admin' })
      if (request.method === 'PUT' && request.url === '/policy') {
        const version = Number(/^"(\d+)"$/.exec(request.headers['if-match'] ?? '')?.[1] ?? Number.NaN)
        if (Number.isNaN(version)) return reply(428, { error: 'no version' })
        const change = await keeper.station.save({
          school_id,
          by,
          version,
          policy: policySchema.parse(JSON.parse(said)),
        })
        if ('gaps' in change) return reply(422, { error: 'gaps', details: change })
        if ('stale' in change) return reply(412, { error: 'stale', details: { current: body(change.stale) } })
        return reply(200, body(change.changed))
      }
      if (request.method === 'PUT' && request.url === '/assignments') {
        const { assignments } = JSON.parse(said) as { assignments: unknown[] }
        await keeper.station.assign({
          school_id,
          by,
          assignments: assignments.map((one) => assignmentSchema.parse(one)),
        })
        return reply(204)
      }
      return reply(404, { error: 'no such call' })
    }
    void route().catch(() => reply(422, { error: 'not accepted' }))
  }
  const server = await httpServer(answer)
  return { ...server, works: () => server.answers(answer) }
}

/** A sign-in token of somebody at the test school. */
export const tokenOf = (sub: string, role: string, expires = '1h'): Promise<string> =>
  new SignJWT({ role, school_id: testSchool, name: sub })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(testSecret))
