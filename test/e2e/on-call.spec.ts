/** Who is on call, as an admin draws and edits it; the station is a real one, and asked over REST. */
import { Temporal } from '@js-temporal/polyfill'
import { test as base, expect, type Page } from '@playwright/test'
import { join } from 'node:path'
import type { Policy } from '../../shared/policy.ts'
import { axeFindings } from '../support/axe.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { geometryFindings } from '../support/geometry.ts'
import { filledPolicy, listed } from '../support/policy-station.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { goTo, test as atDemonstration } from '../support/shared-demo.ts'
import { signedInEnv, testSchool, testSecret } from '../support/sign-in.ts'
import { chatKey, startStationProcess, stationEnv } from '../support/station-process.ts'

interface School {
  /** Settings → On call of an admin. */
  page: Page
  read(): Promise<{ version: number; policy: Policy }>
  /** As another admin saves it. */
  save(version: number, policy: Policy): Promise<void>
}

const policy: Policy = {
  ...filledPolicy,
  people: [...filledPolicy.people, listed('rivera', 'A. Rivera'), listed('osei', 'K. Osei')],
}

const test = base.extend<{ school: School }>({
  school: async ({ page }, use) => {
    const queue = await startQueueServer()
    const station = await startStationProcess({
      ...stationEnv(queue),
      PSYFLO_SCHOOL_ID: testSchool,
      PSYFLO_JWT_SECRET: testSecret,
      CONSULTX_API_KEYS: `${chatKey}:${testSchool}`,
      // It can text: what is missing is somebody's number.
      PSYFLO_SMS: 'sns',
    })
    const admin = await signedInEnv({ sub: 'dean', role: 'ADMIN', name: 'A. Dean' })
    const other = await signedInEnv({ sub: 'marlow', role: 'ADMIN', name: 'J. Marlow' })
    const headers = (env: Record<string, string>) => ({
      authorization: `Bearer ${env['PSYFLO_SIGN_IN_TOKEN'] ?? ''}`,
      'content-type': 'application/json',
    })
    const address = new URL('/policy', station.url)
    const put = async (env: Record<string, string>, version: number, next: Policy) => {
      const init = { method: 'PUT', headers: { ...headers(env), 'if-match': `"${version}"` } }
      const answer = await fetch(address, { ...init, body: JSON.stringify(next) })
      expect(answer.status, await answer.text()).toBe(200)
    }
    await put(admin, 0, policy)
    const console = await startConsoleProcess({ env: { ...queue.env, ...admin, PSYFLO_STATION_URL: station.url } })
    try {
      await page.goto(console.address)
      await goTo(page, 'Settings')
      await page.getByRole('tab', { name: 'On call' }).click()
      await use({
        page,
        read: async () =>
          (await (await fetch(address, { headers: headers(admin) })).json()) as Awaited<ReturnType<School['read']>>,
        save: (version, next) => put(other, version, next),
      })
    } finally {
      await console.stop()
      await station.stop()
      await queue.stop()
    }
  },
})

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save on call' })
const edit = (page: Page) => page.getByRole('button', { name: 'Edit on call' })

async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 }
  expect.soft(await axeFindings(page), name).toEqual([])
  for (const size of [
    { width: 1024, height: 700 },
    { width: 390, height: 800 },
    { width: 512, height: 350 },
  ]) {
    await page.setViewportSize(size)
    expect.soft(await geometryFindings(page), `${name} at ${size.width}`).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      if (!process.env['PICTURES']) break
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(process.env['PICTURES'], `${name}-${size.width}-${colorScheme}.png`) })
    }
    await page.emulateMedia({ colorScheme: null })
  }
  await page.setViewportSize(before)
}

/** The next Saturday but one at the school: “2026-12-05”. */
const saturday = (() => {
  const today = Temporal.Now.plainDateISO(policy.calendar.time_zone)
  return today.add({ days: 6 - (today.dayOfWeek % 7) + 7 })
})()
const day = saturday.toLocaleString('en-US', { weekday: 'long', month: 'long', day: 'numeric' })

test('an admin writes who is told when: no gap is saved, and what would happen is seen before', async ({ school }) => {
  const { page } = school
  await test.step('steps and an after-hours rota, by keyboard', async () => {
    await edit(page).press('Enter')
    const crisis = panel(page, 'Crisis')
    await crisis.getByRole('button', { name: 'Remove step 3' }).press('Enter')
    // What is taken away leaves the focus where the next thing is done.
    await expect(crisis.getByRole('button', { name: 'Add a step' })).toBeFocused()
    await crisis.getByRole('button', { name: 'Remove step 2' }).press('Enter')
    await page.getByRole('button', { name: 'Add a rota', exact: true }).press('Enter')
    await page.getByLabel('Name, New rota').fill('Crisis line')
    await page.getByLabel('Add to the rota, Crisis line').selectOption({ label: 'K. Osei' })
    await expect(page.getByText('No step of the ladder tells this rota', { exact: false })).toBeVisible()
    await crisis.getByRole('button', { name: 'Add a step' }).press('Enter')
    await crisis.getByLabel('Also tell, step 2').selectOption({ label: 'whoever has “Crisis line”' })
    await expect(page.getByText('No step of the ladder tells this rota', { exact: false })).toHaveCount(0)
    await crisis.getByRole('group', { name: 'By, step 2' }).getByLabel('Desktop alert').uncheck()
  })

  await test.step('somebody whom no channel reaches is named at the channels, which have the focus', async () => {
    await save(page).press('Enter')
    await expect(page.getByText('K. Osei has no phone number, and step 2 only texts.')).toBeVisible()
    const channels = page.getByRole('group', { name: 'By, step 2' }).first()
    await expect(channels.getByLabel('Desktop alert')).toBeFocused()
    await look(page, 'on-call-gap')
    await page.keyboard.press('Space')
    await expect(page.getByText('K. Osei has no phone number')).toHaveCount(0)
  })

  await test.step('a time at which nobody would be told is named, and marked in the week', async () => {
    await page.getByRole('button', { name: 'Add an absence' }).click()
    await page.getByLabel('Person, absence 1').selectOption({ label: 'K. Osei' })
    await page.getByLabel('From, absence 1').fill(`${saturday}T02:00`)
    await page.getByLabel('To, absence 1').fill(`${saturday}T06:00`)
    await save(page).click()
    const gap = `From ${day}, 2:00 AM to 6:00 AM nobody would be told of a crisis.`
    await expect(page.getByText(gap)).toBeFocused()
    const week = panel(page, 'Week')
    await expect(week.getByText(/^Next gap: Sat, .*, 2:00 AM\.$/)).toBeVisible()
    await week.getByRole('button', { name: 'Next week' }).click()
    if (!(await week.getByText('gap from 2:00 AM').isVisible()))
      await week.getByRole('button', { name: 'Next week' }).click()
    await expect(week.getByText('gap from 2:00 AM')).toBeVisible()
    await expect(week.getByRole('cell', { name: /Nobody/ })).toContainText('2:00 AM to 6:00 AM · K. Osei is away')
    const would = panel(page, 'What would happen at…')
    await would.getByLabel('Alert comes').fill(`${saturday}T03:00`)
    await would.getByLabel('Student’s counselor').selectOption({ label: 'no one' })
    await expect(would.getByText('Nobody would be told.')).toBeVisible()
  })

  await test.step('someone who covers closes it, before anything is saved', async () => {
    await page.getByRole('button', { name: 'Add someone who covers, Crisis line' }).click()
    await page.getByLabel('Person, cover 1, Crisis line').selectOption({ label: 'A. Rivera' })
    await page.getByLabel('From, cover 1, Crisis line').fill(`${saturday}T00:00`)
    await page.getByLabel('To, cover 1, Crisis line').fill(`${saturday}T08:00`)
    const would = panel(page, 'What would happen at…')
    await expect(would.getByText('3:00 AM, right away: A. Rivera by desktop alert')).toBeVisible()
    await expect(would.getByText('Step 1 tells nobody and is passed over at once')).toBeVisible()
    await expect(page.getByRole('cell', { name: /A\. Rivera.*covers/ })).toBeVisible()
    await expect(panel(page, 'Week').getByText('No gap in the next two weeks.')).toBeVisible()
    expect((await school.read()).version).toBe(1)
    await save(page).click()
    await expect(edit(page)).toBeVisible()
    await expect(
      page.getByText('Saved. It counts from now on, for alerts that are open already, too.').first(),
    ).toBeVisible()
    const { version, policy: kept } = await school.read()
    expect(version).toBe(2)
    expect(kept.on_call.rotas).toMatchObject([
      { name: 'Crisis line', rotation: { people: ['osei'] }, overrides: [{ person: 'rivera' }] },
    ])
    expect(kept.on_call.ladders.crisis.rungs).toHaveLength(2)
    await expect(panel(page, 'Escalation ladder').getByRole('list', { name: 'Crisis ladder' })).toContainText(
      'Right away: their counselor, by desktop alert and text',
    )
    await look(page, 'on-call')
  })

  await test.step('what another admin saved meanwhile is seen beside it, and nothing is overwritten unseen', async () => {
    await edit(page).click()
    await page.getByLabel('Minutes until the last step comes again').first().fill('7')
    const { version, policy: kept } = await school.read()
    // What has nothing to do with on call is in nobody’s way.
    await school.save(version, { ...kept, crisis_numbers: [] })
    await save(page).click()
    await expect(edit(page)).toBeVisible()
    const merged = await school.read()
    expect(merged.policy).toMatchObject({ crisis_numbers: [], on_call: { ladders: { crisis: { repeat_minutes: 7 } } } })

    await edit(page).click()
    await page.getByLabel('Minutes until the last step comes again').first().fill('9')
    const { on_call } = merged.policy
    const theirs = {
      ...on_call,
      ladders: { ...on_call.ladders, crisis: { ...on_call.ladders.crisis, repeat_minutes: 3 } },
    }
    await school.save(merged.version, { ...merged.policy, on_call: theirs })
    await save(page).click()
    const meanwhile = panel(page, 'J. Marlow changed the ladder while you were editing.')
    await meanwhile.getByText('What they saved', { exact: true }).click()
    await expect(meanwhile.getByText(/every 3 minutes/)).toBeVisible()
    await save(page).click()
    await expect(edit(page)).toBeVisible()
    expect((await school.read()).policy.on_call.ladders.crisis.repeat_minutes).toBe(9)
  })
})

atDemonstration('a counselor reads who is on call, and changes nothing', async ({ desk: page }) => {
  await goTo(page, 'Settings')
  await page.getByRole('tab', { name: 'On call' }).click()
  await expect(page.getByText('Only an admin can change it.')).toBeVisible()
  await expect(edit(page)).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Crisis ladder' })).toContainText('After 5 minutes')
  // No way out of this machine is set up here.
  await expect(page.getByRole('list', { name: 'Crisis ladder' })).toContainText('desktop alert and text (not set up)')
  await page.getByRole('button', { name: 'Send me a test alert' }).click()
  const arrived = page.getByRole('list', { name: 'What arrived where' })
  await expect(arrived.getByText(/^Desktop notification: /)).toBeVisible()
  await expect(arrived.getByText(/^Alarm sound: played at /)).toBeVisible()
  await page.getByRole('button', { name: 'Play the alarm sound' }).click()
  await expect(page.getByText(/^Played at /)).toBeVisible()
})
