/**
 * A crisis at two consoles and a station, each the built program in a process of its own, with receivers of texts, calls
 * and mails that are servers of this test: it is acknowledged, handed off urgently, escalated and answered by text, and
 * both consoles come to the same.
 */
import { expect, test, type Page } from '@playwright/test'
import { intakeClient } from '../../main/chat/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { readSigned, signedHeaders } from '../../main/platform/webhook-signature.ts'
import { usualDetection } from '../../shared/detection.ts'
import { defaultGuide } from '../../shared/guide.ts'
import { usualOnCall, usualSchoolHours } from '../../shared/on-call.ts'
import type { Policy } from '../../shared/policy.ts'
import { httpServer, json, type HttpServer } from '../support/http-server.ts'
import { mailServer } from '../support/mail-server.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { detail, inbox } from '../support/screens.ts'
import { admin, doctor, enrol, headersFor, openSeat, type Seat, type Sitter } from '../support/seats.ts'
import { testSchool, testSecret } from '../support/sign-in.ts'
import { chatKey, startStationProcess, stationEnv, type StationProcess } from '../support/station-process.ts'
import { textsBesideTopic } from '../support/texts-beside-topic.ts'

const rivera: Sitter = { sub: 'rivera', name: 'A. Rivera', role: 'COUNSELOR' }
const osei: Sitter = { sub: 'osei', name: 'K. Osei', role: 'CLINICIAN' }
const secret = 'a-secret-of-the-webhook-that-is-long-enough'
/** Whose telephone is off: no text reaches it. */
const unreachable = '+15550142003'

const person = ({ sub, name, role }: Sitter, channels: Partial<Policy['people'][number]['channels']>) => ({
  ...{ id: sub, name, role: role as Policy['people'][number]['role'], school_ids: [testSchool] },
  channels: { sms: null, voice: null, email: null, ...channels },
})
const policy: Policy = {
  people: [
    person(admin, { email: 'dean@school.example' }),
    person(rivera, { sms: '+15550142001' }),
    person(osei, { sms: '+15550142002', voice: '+15550142002' }),
    person({ sub: 'away', name: 'T. Away', role: 'COUNSELOR' }, { sms: unreachable }),
  ],
  calendar: { time_zone: 'UTC', closed: [], periods: [], hours: usualSchoolHours },
  crisis_numbers: [],
  guide: [...defaultGuide],
  on_call: usualOnCall,
  detection: usualDetection,
}
const only = (id: string) => [{ kind: 'person' as const, person: id }]
const ladderFrom = (first: string): Policy['on_call'] => ({
  ...usualOnCall,
  ladders: {
    ...usualOnCall.ladders,
    crisis: {
      rungs: [
        { after_minutes: 0, to: only(first), channels: ['sms'] },
        { after_minutes: 10, to: [...only('osei'), ...only(admin.sub)], channels: ['voice', 'sms', 'email'] },
      ],
      repeat_minutes: 5,
    },
  },
})

const history = (page: Page) => detail(page).getByRole('region', { name: 'What was done' })
const toldRegion = (page: Page) => detail(page).getByRole('region', { name: 'Who was told' })
const wayOf = (body: string) => (JSON.parse(body) as { channel: string }).channel
const button = (page: Page, name: string) => detail(page).getByRole('button', { name, exact: true })

test.describe('an alert that nobody can lose', { tag: '@long' }, () => {
  test.describe.configure({ mode: 'serial', timeout: 180_000 })
  let station: StationProcess
  let here: Seat
  let there: Seat
  let texts: Awaited<ReturnType<typeof textsBesideTopic>>
  let mail: Awaited<ReturnType<typeof mailServer>>
  let calls: HttpServer
  const ends: (() => unknown)[] = []

  test.beforeAll(async ({ browser }) => {
    const queue = await startQueueServer()
    texts = await textsBesideTopic(queue.endpoint, new Set([unreachable]))
    mail = await mailServer()
    calls = await httpServer(json({}))
    ends.push(
      () => queue.stop(),
      () => texts.stop(),
      () => mail.stop(),
      () => calls.stop(),
    )
    station = await startStationProcess({
      ...stationEnv(queue),
      AWS_ENDPOINT_URL_SNS: texts.url,
      PSYFLO_SCHOOL_ID: testSchool,
      PSYFLO_JWT_SECRET: testSecret,
      PSYFLO_SMS: 'sns',
      PSYFLO_WEBHOOK_URL: `${calls.url}/call`,
      PSYFLO_WEBHOOK_SECRET: secret,
      PSYFLO_SMTP_URL: `smtp://127.0.0.1:${mail.access.port}`,
      PSYFLO_SMTP_FROM: 'alarm@school.example',
      CONSULTX_API_KEYS: `${chatKey}:${testSchool}`,
    })
    ends.push(() => station.stop())
    await put(0, ladderFrom('rivera'))
    const at = { school: testSchool }
    here = await openSeat(browser, queue, { ...at, queueName: 'psyflo-events-here', person: rivera }, ends)
    there = await openSeat(browser, queue, { ...at, queueName: 'psyflo-events-there', person: osei }, ends)
    for (const seat of [here, there]) {
      await enrol(station, seat)
      await seat.page.getByRole('link', { name: 'Alerts' }).first().click()
    }
    // The station says at once whom it would tell, and these were not there yet; without that they count on nobody.
    await put(1, ladderFrom('rivera'))
    for (const { page } of [here, there])
      await expect(page.getByRole('banner', { name: 'State of the alarm' })).toContainText('A. Rivera')
  })
  test.afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  async function put(version: number, on_call: Policy['on_call']): Promise<void> {
    const headers = { ...(await headersFor(testSchool)), 'if-match': `"${version}"` }
    const answer = await fetch(new URL('/policy', station.url), {
      ...{ method: 'PUT', headers },
      body: JSON.stringify({ ...policy, on_call }),
    })
    expect(answer.status, await answer.text()).toBe(200)
  }

  async function say(student: string, content: string): Promise<void> {
    const chat = intakeClient({
      target: () => ({ url: station.url, key: chatKey }),
      clock: systemClock,
      signal: new AbortController().signal,
      tries: 3,
    })
    const { session_id } = await chat.startSession({ user_id: student })
    await chat.send(session_id, { sender: 'user', content, client_message_id: `said by ${student}` })
  }

  test('is texted at once, acknowledged, and handed off urgently; both consoles come to the same', async () => {
    await say('S-1', 'I am going to kill myself tonight.')
    await expect.poll(() => texts.texts.map(({ number }) => number)).toEqual(['+15550142001'])
    expect(texts.texts[0]?.text).toMatch(/crisis/i)
    expect(texts.texts[0]?.text).not.toMatch(/kill|S-1|Rivera/)
    for (const { page } of [here, there]) {
      await inbox(page).getByRole('link').first().click()
      await expect(toldRegion(page)).toContainText(/A\. Rivera by text .+: delivered/)
      await expect(inbox(page)).toContainText(/escalates in 9:\d\d/)
    }
    await button(here.page, 'Acknowledge').click()
    for (const { page } of [here, there]) await expect(history(page)).toContainText('A. Rivera acknowledged')
    await button(here.page, 'Hand off').click()
    const dialog = here.page.getByRole('dialog')
    const option = dialog.getByLabel('To').getByRole('option', { name: /^K\. Osei/ })
    await dialog.getByLabel('To').selectOption(await option.getAttribute('value'))
    await dialog.getByRole('button', { name: 'Hand off' }).click()
    // By every way there is to reach her.
    await expect.poll(() => texts.texts.map(({ number }) => number)).toEqual(['+15550142001', '+15550142002'])
    const ways = () => calls.asked.flatMap(({ method, body }) => (method === 'POST' ? wayOf(body) : []))
    await expect.poll(() => ways().sort()).toEqual(['other', 'voice'])
    await expect(button(there.page, 'Accept hand-off')).toBeVisible()
    await button(there.page, 'Accept hand-off').click()
    await expect(detail(there.page)).toContainText('you hold it')
    await expect(detail(here.page)).toContainText('K. Osei holds it')
  })

  test('goes on where no text arrives, by call and by mail, until somebody answers by text', async () => {
    const before = { calls: calls.asked.length, mails: mail.mails.length }
    await put(2, ladderFrom('away'))
    await say('S-2', 'I am going to kill myself tonight.')
    // The first text is refused: nobody waits for the ten minutes.
    await expect.poll(() => mail.mails.length, { timeout: 30_000 }).toBe(before.mails + 1)
    expect(mail.mails.at(-1)?.to).toEqual(['dean@school.example'])
    await expect.poll(() => calls.asked.length).toBe(before.calls + 1)
    const { headers: signed = {}, body: call = '' } = calls.asked[before.calls] ?? {}
    expect(readSigned(secret, { headers: signed, body: call, now: Date.now() })).toHaveProperty('id')
    expect(JSON.parse(call)).toMatchObject({ channel: 'voice', number: '+15550142002', person: 'osei', tier: 'crisis' })
    for (const { page } of [here, there]) {
      await inbox(page)
        .getByRole('link', { name: /open|unheld|crisis/i })
        .first()
        .click()
      await expect(toldRegion(page)).toContainText(/A\. Dean by e-mail .+: delivered/)
      await expect(toldRegion(page)).toContainText(/T\. Away by text .+: failed/)
    }
    const body = JSON.stringify({ from: '+15550142002', text: 'Ack' })
    const headers = signedHeaders(secret, { id: 'inbound-1', at: Date.now(), body })
    const answered = await fetch(new URL('/inbound/sms', station.url), {
      ...{ method: 'POST', body },
      headers: { ...headers, 'content-type': 'application/json' },
    })
    expect(answered.status).toBe(200)
    for (const { page } of [here, there]) await expect(history(page)).toContainText('K. Osei acknowledged')
    for (const seat of [here, there]) {
      await expect
        .poll(() => doctor(seat), { timeout: 30_000 })
        .toMatchObject({ counts: { alerts: 2, open: 0, quarantined: 0, outbox_pending: 0 }, audit_ok: true })
    }
  })
})
