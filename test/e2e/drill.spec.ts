/** A drill: from a station’s intake to a window that draws it, and back; it is seen in the strip and nowhere else. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { openKeys } from '../../main/store/console/index.ts'
import { openStationFile } from '../../main/store/station/index.ts'
import { expect, test } from '../support/district.ts'
import { school } from '../support/intake-school.ts'
import { startStationProcess, stationEnv } from '../support/station-process.ts'

test.use({ person: { school_id: school } })
test.describe.configure({ timeout: 120_000 })

test(
  'comes round by itself, is drawn in the strip alone, and its station knows who has seen it',
  { tag: '@long' },
  async ({ page, district: { queue, console } }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-drill-'))
    const strip = page.getByRole('banner', { name: 'State of the alarm' })
    await page.goto(console.address)
    await expect(page.getByText('No open alerts.')).toBeVisible()
    await expect(strip).toContainText('Alarm not checked yet')
    // A school without a directory has nobody to tell: that would be red.
    const env: Record<string, string> = { ...stationEnv(queue), PSYFLO_LADDER: 'off' }
    const station = await startStationProcess(env, { dataDir })
    try {
      await expect(strip).toHaveAttribute('data-state', 'well', { timeout: 30_000 })
      // From the message at the intake to this window, as the strip itself says.
      await expect(strip).toContainText(/Alarm checked (just now|\d+ s ago), \d\.\d s/, { timeout: 30_000 })
      await expect(strip).toContainText('0 unacknowledged')
      await expect(page.getByText('No open alerts.')).toBeVisible()
      await expect(page.getByRole('list', { name: 'Alerts', exact: true }).getByRole('link')).toHaveCount(0)
      for (const screen of ['Students', 'Sessions']) {
        await page.getByRole('navigation').getByRole('link', { name: screen }).click()
        await expect(page.getByRole('main')).not.toContainText(/suicidal|kill/)
        await expect(page.getByRole('main').getByRole('list').getByRole('link')).toHaveCount(0)
      }
      const metrics = await (await station.call('GET', '/metrics')).text()
      expect(metrics).not.toMatch(/^psyflo_messages_total\{/m)
      expect(metrics).toMatch(/^psyflo_assessment_duration_seconds_count 0$/m)
      await expect
        .poll(async () => await (await station.call('GET', '/metrics')).text())
        .toMatch(/^psyflo_alarm_failing 0$/m)
      await expect.poll(() => queue.acknowledgements()).toEqual([])
      station.process.kill('SIGTERM')
      expect(await station.ended).toBe(0)
      const keys = await openKeys(
        dataDir,
        passphraseProvider(env['PSYFLO_PASSPHRASE'] ?? '', systemRandomness),
        systemRandomness,
      )
      const db = openStationFile(join(dataDir, 'station.db'), keys.stationDatabase, { readonly: true })
      const rows = (sql: string) => db.prepare(sql).all()
      expect(rows('SELECT number, outcome FROM drills')).toEqual([{ number: 1, outcome: 'passed' }])
      expect(rows('SELECT number, seen_by, painted_at IS NOT NULL AS painted FROM drills_seen')).toEqual([
        { number: 1, seen_by: 'counselor-1', painted: 1 },
      ])
      expect(rows('SELECT * FROM sessions')).toEqual([])
      expect(rows('SELECT * FROM session_counts')).toEqual([])
      db.close()
    } finally {
      await station.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
