import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { alertsOn } from '../support/alert-row.ts'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'
import { legacyCrisis } from '../support/events.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { openPage, type Page } from '../support/real-console.ts'
import { signedInEnv, testSecret } from '../support/sign-in.ts'
import { safetyPlanHeadings, type SafetyPlan } from '../../shared/student-records.ts'

const words = 'MARKED-words-of-a-student'
const passphrase = 'MARKED-passphrase of this console'
const session_id = 'MARKED-session-0001'
const student_hash = createHash('sha256').update('MARKED-student').digest('hex')
/** An error as text, with what JSON leaves out of it. */
const everythingOf = (error: unknown) => JSON.stringify(error, Object.getOwnPropertyNames(error))
const everyMark = ['MARKED', student_hash, testSecret, session_id]

it(
  'no word, name, session, hash, key or passphrase is in a log, a plain file, a temporary file or a setting',
  { timeout: 60_000 },
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'privacy-'))
    const [dataDir, temporary] = [join(home, 'data'), join(home, 'temporary')]
    mkdirSync(temporary)
    const server = await startQueueServer({ visibility: 2 })
    const written: string[] = []
    const start = async (role: string): Promise<{ running: ConsoleProcess; page: Page }> => {
      const running = await startConsoleProcess({
        dataDir,
        args: ['--web'],
        env: {
          ...server.env,
          ...(await signedInEnv({ role, sub: `MARKED-person-${role}`, name: 'MARKED-name of a person' })),
          PSYFLO_PASSPHRASE: passphrase,
          HOME: home,
          TMPDIR: temporary,
          SQLITE_TMPDIR: temporary,
        },
      })
      return { running, page: await openPage(running.address) }
    }
    const expectNothing = (running: ConsoleProcess) => {
      written.push(running.written.stdout, running.written.stderr)
      for (const mark of everyMark) expect(written.join('\n')).not.toContain(mark)
      const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['console.db', 'console.log']))
      for (const { parentPath, name } of files) {
        const bytes = readFileSync(join(parentPath, name))
        for (const mark of everyMark) expect([name, mark, bytes.includes(mark)]).toEqual([name, mark, false])
        expect(name).not.toMatch(/MARKED/)
      }
    }
    const crisis = (changes: Record<string, unknown>) =>
      JSON.stringify(
        legacyCrisis({ session_id, student_hash, idempotency_key: `${session_id}-1`, reasoning: words, ...changes }),
      )

    try {
      // An admin imports the roster and makes mistakes; events arrive, good and bad; then the power fails.
      const first = await start('ADMIN')
      await first.page.calls.roster.import.mutate({
        csv: `student id,name\n1,${words}\n,MARKED-row`,
        salt: 'MARKED-salt of the school',
      })
      await server.send(crisis({ matched_patterns: ['suicidal_intent', words] }))
      await server.send(crisis({ consensus_score: 7 }))
      await server.send(`{"event_type": "CRISIS_DETECTED", "${words}`)
      await server.send(JSON.stringify({ event_type: words }))
      await server.publish(crisis({ idempotency_key: `${session_id}-2` }))
      await vi.waitFor(async () => expect((await first.page.calls.quarantine.list.query()).length).toBe(3), 10_000)
      const key = await vi.waitFor(async () => {
        const rows = alertsOn(await first.page.calls.alerts.page.query({ filter: 'open', offset: 0, limit: 10 }))
        expect(rows).toHaveLength(1)
        return String(rows[0]?.key)
      }, 10_000)
      // Read as far as it goes; what it says is the admin's own file.
      await first.page.calls.roster.preview.mutate({ csv: `"${words}` })
      const refusals = [
        first.page.calls.alerts.reveal.mutate({ key, reason: words }),
        first.page.calls.alerts.detail.query({ key: words }),
        first.page.calls.alerts.page.query({ filter: 'all', search: words, offset: -1, limit: 10 }),
        first.page.calls.settings.setLayout.mutate({ name: words, sizes: [] }),
      ]
      for (const [index, refused] of (await Promise.allSettled(refusals)).entries()) {
        expect([index, refused.status]).toEqual([index, 'rejected'])
        expect(everythingOf((refused as PromiseRejectedResult).reason)).not.toContain('MARKED')
      }
      expectNothing(first.running)
      void first.page.close()
      await first.running.stop('SIGKILL')
      expectNothing(first.running)

      // A clinician reads the evidence, answers, searches, and looks at what was put aside.
      const second = await start('CLINICIAN')
      const { calls } = second.page
      const evidence = await calls.alerts.reveal.mutate({ key, reason: 'MARKED-reason' })
      expect(JSON.stringify(evidence)).toContain(words)
      await calls.alerts.acknowledge.mutate({ key, next_action: 'MARKED-next action' })
      await calls.alerts.note.mutate({ key, note: words })
      await calls.alerts.page.query({ filter: 'all', search: words, offset: 0, limit: 10 })
      await calls.detection.explain.query({ text: words })
      await calls.settings.setPreferences.mutate({ theme: 'dark' })
      const [bad] = await calls.quarantine.list.query()
      expect(JSON.stringify(bad)).not.toContain('MARKED')
      await calls.quarantine.retry.mutate({ id: bad?.id ?? 0 })
      await calls.quarantine.dismiss.mutate({ id: bad?.id ?? 0, reason: 'MARKED-reason' })
      // What a case adds: steps, calls, promises, a plan, a follow-up, a draft and what was searched for.
      const student = { student_hash }
      const soon = Date.now() + 3_600_000
      const [step] = (await calls.alerts.detail.query({ key })).steps
      await calls.alerts.stepDone.mutate({ key, step: step?.id ?? '', note: words })
      const tried = {
        contact: 'guardian',
        outcome: 'no answer',
        who: 'MARKED-name of a guardian',
        note: words,
      } as const
      await calls.alerts.contactAttempted.mutate({ key, ...tried })
      await calls.alerts.commit.mutate({ key, next_action: 'MARKED-promise', due_at: soon })
      const sections = Object.fromEntries(safetyPlanHeadings.map((heading) => [heading, words])) as SafetyPlan
      await calls.studentRecords.saveSafetyPlan.mutate({ ...student, sections, based_on: null })
      await calls.studentRecords.setFollowUp.mutate({ ...student, next_action: 'MARKED-follow-up', due_at: soon })
      const { person } = await calls.drafts.mine.query()
      await calls.drafts.keep.mutate({ person, name: `note ${key}`, draft: words })
      expect((await calls.drafts.mine.query()).drafts[`note ${key}`]).toBe(words)
      expect(JSON.stringify(await calls.studentRecords.safetyPlans.query(student))).toContain(words)
      const resolution = { key, disposition: 'contacted student', note: words } as const
      const early = await calls.alerts.resolve.mutate(resolution).catch((error: unknown) => error)
      expect(everythingOf(early)).toContain('steps that are not done')
      expect(everythingOf(early)).not.toContain('MARKED')
      await calls.alerts.resolve.mutate({ ...resolution, reason: 'MARKED-reason' })
      await calls.settings.testConnection.mutate()
      expectNothing(second.running)
      void second.page.close()
      expect(await second.running.stop()).toBe(0)
      expectNothing(second.running)
    } finally {
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    }
  },
)

it(
  'a wrong passphrase, or a token that proves nobody, is a sentence without either in it',
  { timeout: 30_000 },
  async () => {
    const server = await startQueueServer()
    const dataDir = mkdtempSync(join(tmpdir(), 'privacy-'))
    const env = { ...server.env, ...(await signedInEnv()) }
    const refusal = (changes: Record<string, string>) =>
      startConsoleProcess({ dataDir, args: ['--web'], env: { ...env, ...changes } }).then(
        () => 'it started',
        (error: Error) => error.message,
      )
    try {
      await (await startConsoleProcess({ dataDir, args: ['--web'], env })).stop()
      const wrong = await refusal({ PSYFLO_PASSPHRASE: passphrase })
      expect(wrong).toContain('The passphrase does not open this console’s data.')
      const nobody = await refusal({ PSYFLO_SIGN_IN_TOKEN: 'MARKED.token.x' })
      expect(nobody).toContain('The sign-in token could not be verified.')
      for (const text of [wrong, nobody]) {
        expect(text).toContain('(1)')
        expect(text).not.toMatch(/MARKED|\n\s+at |Error:/)
      }
    } finally {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
