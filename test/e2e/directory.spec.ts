/** The school's directory as the people at a district console see and edit it; the station answers over REST. */
import { test as base, expect, type Page } from '@playwright/test'
import { join } from 'node:path'
import { defaultGuide } from '../../shared/guide.ts'
import { axeFindings } from '../support/axe.ts'
import { startConsoleProcess } from '../support/console-process.ts'
import { geometryFindings } from '../support/geometry.ts'
import {
  filledPolicy,
  listed,
  policyKeeper,
  policyStation,
  unreached,
  type PolicyKeeper,
} from '../support/policy-station.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { become, goTo, test as atDemonstration } from '../support/shared-demo.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'
import { test as atDistrict } from '../support/district.ts'

interface Station {
  keeper: PolicyKeeper
  server: Awaited<ReturnType<typeof policyStation>>
}

const test = base.extend<{ station: Station; directory: Page }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from it.
  station: async ({}, use) => {
    const keeper = policyKeeper()
    const server = await policyStation(keeper)
    await use({ keeper, server })
    await server.stop()
  },
  /** Settings → Directory of an admin. */
  directory: async ({ page, station }, use) => {
    const queue = await startQueueServer()
    try {
      const person = await signedInEnv({ sub: 'dean', role: 'ADMIN', name: 'A. Dean' })
      const console = await startConsoleProcess({
        env: { ...queue.env, ...person, PSYFLO_STATION_URL: station.server.url },
      })
      try {
        await page.goto(console.address)
        await openDirectory(page)
        await use(page)
      } finally {
        await console.stop()
      }
    } finally {
      await queue.stop()
    }
  },
})

async function openDirectory(page: Page): Promise<void> {
  await goTo(page, 'Settings')
  await page.getByRole('tab', { name: 'Directory' }).click()
}
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save the directory' })
const edit = (page: Page) => page.getByRole('button', { name: 'Edit the directory' })

async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 }
  expect.soft(await axeFindings(page), name).toEqual([])
  for (const size of [
    { width: 1024, height: 700 },
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

test(
  'an admin writes the directory: what is wrong stands at its field, and nothing is typed twice',
  { tag: '@long' },
  async ({ directory: page, station: { keeper } }) => {
    await expect(page.getByText('This console has not received a directory yet.')).toBeVisible()
    await edit(page).click()
    await panel(page, 'People of the school').getByRole('button', { name: 'Add a person' }).click()
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.type('A. Dean')
    await page.getByLabel('Phone for texts').fill('555-0100')
    await page.getByLabel('E-mail').fill('dean@school.test')
    await page.keyboard.press('Enter')

    await expect(page.getByLabel('Id in sign-in tokens')).toHaveAccessibleDescription('Type the id.')
    await expect(page.getByLabel('Phone for texts')).toHaveAccessibleDescription(/Type the number with its country/)
    await expect(page.getByLabel('Id in sign-in tokens')).toBeFocused()
    await look(page, 'directory-wrong')
    await page.keyboard.type('dean')
    await page.getByLabel('Phone for texts').fill('+1 (555) 014-2000')
    await save(page).click()
    await expect(page.getByText('No one is an admin, so no one could change this again.')).toBeFocused()
    await page.getByLabel('Role').selectOption({ label: 'Admin' })

    const calendar = panel(page, 'Calendar')
    await calendar.getByRole('button', { name: 'Add days without school' }).click()
    await page.keyboard.type('Winter break')
    await page.getByLabel('First day, line 1').fill('2026-12-21')
    await page.getByLabel('Last day, line 1').fill('2027-01-02')
    await calendar.getByRole('button', { name: 'Add a period or break' }).click()
    await page.keyboard.type('First lesson')
    await page.getByLabel('Starts, line 1').fill('08:00')
    await page.getByLabel('Ends, line 1').fill('08:45')
    await page.getByRole('group', { name: 'Days, line 1' }).getByLabel('Friday').uncheck()
    await panel(page, 'Crisis numbers').getByRole('button', { name: 'Add a number' }).click()
    await page.keyboard.type('Counseling office')
    await page.getByLabel('Number, line 1').fill('555-0142')
    const guide = panel(page, 'Steps after an alert')
    await guide.getByRole('button', { name: 'Move “Ask directly about suicide” up' }).press('Enter')
    // At the end of the list the focus goes on with the other way.
    await expect(guide.getByRole('button', { name: 'Move “Ask directly about suicide” down' })).toBeFocused()
    await guide.getByRole('button', { name: 'Remove “Make the place safe”' }).click()
    await guide.getByRole('button', { name: 'Add a step' }).click()
    await save(page).click()
    await expect(page.getByLabel('Step, step 7')).toHaveAccessibleDescription(/^Say what the step is/)
    await page.getByLabel('Step, step 7').fill('Tell the principal')
    await page.getByRole('group', { name: 'Required before resolving, step 7' }).getByLabel('Crisis').check()
    await page.getByRole('group', { name: 'Shown for, step 7' }).getByLabel('High').uncheck()
    // What was typed stays while one looks elsewhere.
    await goTo(page, 'Alerts')
    await openDirectory(page)
    await expect(page.getByLabel('First day, line 1')).toHaveValue('2026-12-21')
    await look(page, 'directory-editing')
    await save(page).click()

    await expect(page.getByText('Version 1 · saved')).toBeVisible()
    await expect(page.getByText('Everyone listed can also be reached by phone or e-mail.')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Weekly class periods and breaks' })).toContainText('Mon to Thu')
    await expect(page.getByRole('table', { name: 'Days without school' })).toContainText('Dec 21, 2026')
    expect(keeper.at(testSchool)).toMatchObject({
      version: 1,
      changed_by: 'dean',
      policy: {
        people: [
          { id: 'dean', role: 'ADMIN', channels: { ...unreached, sms: '+15550142000', email: 'dean@school.test' } },
        ],
        crisis_numbers: [{ name: 'Counseling office', contact: '555-0142' }],
      },
    })
    const kept = () => keeper.at(testSchool)?.policy.guide ?? []
    const added = kept().at(-1)
    expect(kept().map(({ title }) => title)).toEqual([
      'Ask directly about suicide',
      'Be with the student',
      ...defaultGuide.slice(3).map(({ title }) => title),
      'Tell the principal',
    ])
    expect(added).toMatchObject({ tiers: ['crisis'], required: ['crisis'], categories: [] })
    await expect(guide).toContainText('Tell the principal (Crisis; required before resolving: Crisis)')
    await look(page, 'directory')

    await edit(page).click()
    await guide.getByRole('button', { name: 'Restore the original list' }).click()
    await save(page).click()
    await expect(page.getByText('Version 2 · saved')).toBeVisible()
    expect(kept()).toEqual(defaultGuide)
  },
)

test(
  'what somebody else saved meanwhile is shown and merged, and a station that is away costs nothing typed',
  { tag: '@long' },
  async ({ directory: page, station: { keeper, server } }) => {
    const osei = { ...listed('osei', 'K. Osei', 'ADMIN'), channels: { ...unreached, voice: '+15550101' } }
    const saveAs = (version: number, policy = filledPolicy) =>
      keeper.station.save({
        school_id: testSchool,
        by: 'osei',
        version,
        policy: { ...policy, people: [...policy.people, osei] },
      })
    await saveAs(0, { ...filledPolicy, people: filledPolicy.people.slice(0, 1) })
    await edit(page).click()
    const dean = page.getByRole('group', { name: 'A. Dean' })
    await dean.getByLabel('Phone for calls').fill('+1 555 0109')
    await saveAs(1)
    await save(page).click()

    const meanwhile = page.getByRole('region', { name: 'K. Osei saved version 2 while you were editing.' })
    await expect(meanwhile.getByRole('listitem')).toHaveText(['J. Marlow: added by them; the form has their version.'])
    await expect(dean.getByLabel('Phone for calls')).toHaveValue('+15550109')
    await look(page, 'directory-meanwhile')

    server.answers((response) => void response.destroy())
    await save(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'The school’s station does not answer.' })
    await expect(alert).toContainText('What you typed is still here')
    await expect(dean.getByLabel('Phone for calls')).toHaveValue('+15550109')
    server.works()
    await save(page).click()
    await expect(page.getByText('Version 3 · saved')).toBeVisible()
    const { people } = keeper.at(testSchool).policy
    expect(people.map(({ name, channels }) => [name, channels.voice])).toEqual([
      ['A. Dean', '+15550109'],
      ['K. Osei', '+15550101'],
      ['J. Marlow', null],
    ])
    await expect(page.getByText('1 person can be reached only in PsyFlo Console: J. Marlow.')).toBeVisible()
  },
)

atDistrict(
  'without a station the screen says so, and what follows from it',
  async ({ page, district: { console } }) => {
    await page.goto(console.address)
    await openDirectory(page)
    await expect(page.getByText('this console is not connected to one')).toBeVisible()
    await expect(edit(page)).toHaveCount(0)
    await look(page, 'directory-none')
  },
)

atDemonstration(
  'beside its own station the people of the desk are listed already, and only how they are reached is typed',
  { tag: '@long' },
  async ({ desk: page }) => {
    await become(page, 'J. Marlow')
    await openDirectory(page)
    await expect(page.getByRole('table', { name: 'People of the school' })).toContainText('A. Rivera')
    await edit(page).click()
    const rivera = page.getByRole('group', { name: 'A. Rivera' })
    await expect(rivera.getByLabel('Name')).toHaveCount(0)
    await rivera.getByLabel('Phone for texts').fill('+1 555 014 2000')
    await look(page, 'directory-desk')
    await save(page).click()
    await expect(page.getByRole('row', { name: /A\. Rivera/ })).toContainText('+15550142000')
    await expect(page.getByText(/by J\. Marlow/)).toBeVisible()
  },
)
