/** Every screen and layer of the console, and how to come there. */
import { expect, type Locator, type Page } from '@playwright/test'
import { become, goTo } from './shared-demo.ts'

export interface View {
  name: string
  /** Comes there from the view before, or from any other one. */
  open(page: Page): Promise<void>
}

export const inbox = (page: Page) => page.getByRole('list', { name: 'Alerts', exact: true })
export const detail = (page: Page) => page.getByRole('region', { name: 'Alert', exact: true })

/** Presses a single key on the alert that was chosen, once it has been on screen for long enough. */
export async function pressOnAlert(page: Page, key: string): Promise<void> {
  await expect(detail(page)).toHaveAttribute('data-keys', 'act')
  await page.keyboard.press(key)
}

/** Chooses the first alert of a tab whose row says so, and waits for its detail. */
export async function openAlert(page: Page, tab: 'Open' | 'Mine' | 'All', says: RegExp = /./): Promise<void> {
  await goTo(page, 'Alerts')
  const back = page.getByRole('button', { name: 'Back to the list' })
  if (await back.isVisible()) await back.click()
  await page.getByRole('tab', { name: tab }).click()
  await (await rowInSight(page, says)).click()
  await expect(detail(page).getByRole('heading', { name: 'What was done' })).toBeVisible()
  await expect(detail(page).getByText('Loading')).toHaveCount(0)
}

/** The first row that says so; the list holds no rows that are far from sight, so it is scrolled until there is one. */
async function rowInSight(page: Page, says: RegExp): Promise<Locator> {
  const row = inbox(page).getByRole('link').filter({ hasText: says }).first()
  await expect(async () => {
    if (!(await row.isVisible())) await inbox(page).evaluate(scrollOn)
    await expect(row).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
  return row
}

/** Scrolls what holds a list on by what is seen of it; from its end, back to its beginning. */
function scrollOn(list: Element): void {
  const holder = list.closest('[data-virtuoso-scroller]')
  if (!holder) return
  const isAtEnd = holder.scrollTop + holder.clientHeight >= holder.scrollHeight - 1
  holder.scrollTop = isAtEnd ? 0 : holder.scrollTop + holder.clientHeight
}

/** An open alert that whoever sits here holds, open on screen. */
export async function holdOne(page: Page): Promise<void> {
  await openAlert(page, 'Open')
  const handOff = detail(page).getByRole('button', { name: 'Hand off' })
  const take = detail(page).getByRole('button', { name: /^(Acknowledge|Take over)/ })
  // Another window of the same person may take it first, or more may be said in it meanwhile.
  await expect(async () => {
    if (!(await handOff.isVisible())) await take.first().click({ timeout: 2_000 })
    await expect(handOff).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 20_000 })
}

async function unlocked(page: Page): Promise<void> {
  const back = page.getByRole('button', { name: 'Return' })
  if (await back.isVisible()) await back.click()
}

const dialog = (page: Page) => page.getByRole('dialog')

async function alone(page: Page): Promise<void> {
  if (await dialog(page).isVisible()) await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
}

async function underKey(page: Page, key: string): Promise<void> {
  await alone(page)
  await pressOnAlert(page, key)
  await expect(dialog(page)).toBeVisible()
}

async function section(page: Page, name: string): Promise<void> {
  await goTo(page, 'Settings')
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tab', { name, selected: true })).toBeVisible()
  await expect(page.getByRole('tabpanel').getByRole('heading').first()).toBeVisible()
}

async function asTables(page: Page): Promise<void> {
  for (const button of await page.getByRole('button', { name: 'Show as table' }).all()) await button.click()
  await expect(page.getByRole('table').first()).toBeVisible()
}

/** What a counselor sees; begins on Alerts. */
export const counselorViews: View[] = [
  {
    name: 'Alerts, one acknowledged',
    open: holdOne,
  },
  { name: 'Hand off', open: (page) => underKey(page, 'h') },
  { name: 'Add note', open: (page) => underKey(page, 'n') },
  { name: 'Resolve', open: (page) => underKey(page, 'r') },
  {
    name: 'Resolve, not filled in',
    async open(page) {
      await dialog(page).getByRole('button', { name: 'Resolve' }).click()
      await expect(dialog(page)).toContainText('Choose an outcome.')
    },
  },
  { name: 'Reveal evidence', open: (page) => underKey(page, 'e') },
  {
    name: 'Alerts, evidence revealed',
    async open(page) {
      await dialog(page).getByRole('button', { name: 'Reveal evidence' }).click()
      await expect(detail(page).getByRole('button', { name: 'Hide evidence' })).toBeVisible()
      await expect(detail(page).locator('blockquote').first()).toBeVisible()
    },
  },
  { name: 'Alerts, resolved', open: (page) => openAlert(page, 'All', /resolved/) },
  {
    name: 'Incident record',
    async open(page) {
      await openAlert(page, 'All', /resolved/)
      await detail(page).getByRole('button', { name: 'Incident record' }).click()
      await expect(page.getByRole('table', { name: 'Timeline' })).toBeVisible()
    },
  },
  {
    name: 'Alerts, nothing found',
    async open(page) {
      await goTo(page, 'Alerts')
      const back = page.getByRole('button', { name: 'Back to the list' })
      if (await back.isVisible()) await back.click()
      await page.getByRole('searchbox', { name: 'Search alerts' }).fill('nobody of that name')
      await expect(page.getByText('No matching alerts.')).toBeVisible()
    },
  },
  {
    name: 'Alerts, watch list',
    async open(page) {
      await page.getByRole('searchbox', { name: 'Search alerts' }).fill('')
      await page.getByRole('tab', { name: 'Watch' }).click()
      await expect(inbox(page).or(page.getByText('No one is on the watch list.')).first()).toBeVisible()
    },
  },
  {
    name: 'My day',
    async open(page) {
      await goTo(page, 'My day')
      await expect(page.getByRole('heading', { name: 'My day', level: 1 })).toBeVisible()
      await expect(
        page.getByRole('main').getByRole('listitem').or(page.getByText('Nothing is waiting for you.')).first(),
      ).toBeVisible()
    },
  },
  {
    name: 'Students',
    async open(page) {
      await goTo(page, 'Students')
      await expect(page.getByRole('list', { name: 'Students' }).getByRole('button').first()).toBeVisible()
    },
  },
  {
    name: 'Student page',
    async open(page) {
      await alone(page)
      await goTo(page, 'Students')
      await page.getByRole('list', { name: 'Students' }).getByRole('button', { name: 'Crisis' }).first().click()
      await expect(page.getByRole('figure', { name: 'Risk trajectory' }).locator('svg').first()).toBeVisible()
      await expect(page.getByRole('figure', { name: 'PHQ-9 estimate' })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
    },
  },
  { name: 'Student page as tables', open: asTables },
  {
    name: 'Sessions',
    async open(page) {
      await goTo(page, 'Sessions')
      await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('button').first()).toBeVisible()
    },
  },
  {
    name: 'Session review',
    async open(page) {
      await alone(page)
      await goTo(page, 'Sessions')
      // A student of hers with a story: what goes on now may fill a small window.
      await page.getByRole('searchbox', { name: 'Search sessions' }).fill('Elif')
      const ended = page.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: /Crisis[^]*ended/i })
      await ended.first().click()
      await expect(page.getByRole('region', { name: 'Session review' })).toBeVisible()
      await expect(page.locator('[data-message]').first()).toBeVisible()
    },
  },
  { name: 'Settings, queues', open: (page) => section(page, 'Queues') },
  {
    name: 'Settings, connection tested',
    async open(page) {
      await page.getByRole('button', { name: 'Test the connection' }).click()
      await expect(page.getByRole('tabpanel')).toContainText('Every step passed')
    },
  },
  { name: 'Settings, appearance', open: (page) => section(page, 'Appearance') },
  { name: 'Settings, people', open: (page) => section(page, 'People') },
  { name: 'Settings, directory', open: (page) => section(page, 'Directory') },
  { name: 'Settings, detection', open: (page) => section(page, 'Detection') },
  {
    name: 'Settings, a sentence explained',
    async open(page) {
      await page.getByRole('textbox', { name: 'Sentence' }).fill('I want to disappear and I cannot sleep.')
      await page.getByRole('button', { name: 'Explain' }).click()
      await expect(page.getByRole('heading', { name: 'Reading' })).toBeVisible()
    },
  },
  {
    name: 'Help',
    async open(page) {
      await goTo(page, 'Help')
      await expect(page.getByRole('article').getByRole('heading').first()).toBeVisible()
    },
  },
  {
    name: 'Set-up',
    async open(page) {
      await page.getByRole('button', { name: 'Set up this machine for a school' }).first().click()
      await expect(page.getByLabel('Name of the school')).toBeVisible()
    },
  },
  { name: 'Keys', open: (page) => press(page, '?') },
  { name: 'Palette', open: (page) => press(page, 'Control+k') },
  {
    name: 'Person menu',
    async open(page) {
      await alone(page)
      await page.getByRole('navigation').getByRole('button').click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  {
    name: 'Lock curtain',
    async open(page) {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      await page.keyboard.press('Control+l')
      await expect(page.getByRole('heading', { name: 'The screen is hidden' })).toBeVisible()
    },
  },
]

async function press(page: Page, key: string): Promise<void> {
  await alone(page)
  await page.locator('#screen').focus()
  await page.keyboard.press(key)
  await expect(dialog(page)).toBeVisible()
}

export const rosterWithErrors = [
  'Student ID,Name,Grade,Class,Counselor,Guardian contact,Guardian 1 name,Guardian 1 do not contact',
  'S-1,Ada Testwell,10,"10A · Maths, room 4",A. Rivera,"Mr Testwell (father), 555-0199",Mrs Testwell,court order',
  ',Nobody,9,9B,,,,',
  'S-2,,9,9B,,,,',
  'S-1,Twice Named,10,10A,,,,',
  '',
].join('\n')

/** What only an admin sees. */
export const adminViews: View[] = [
  {
    name: 'Alerts of an admin',
    async open(page) {
      await unlocked(page)
      await become(page, 'J. Marlow')
      await openAlert(page, 'All')
    },
  },
  {
    name: 'Overview',
    async open(page) {
      await goTo(page, 'Overview')
      await expect(page.getByRole('figure', { name: 'Time to acknowledge' })).toBeVisible()
    },
  },
  { name: 'Overview as tables', open: asTables },
  { name: 'Settings, roster', open: (page) => section(page, 'Roster import') },
  {
    name: 'Settings, roster preview',
    async open(page) {
      await page
        .getByLabel('CSV file')
        .setInputFiles({ name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(rosterWithErrors) })
      await expect(page.getByRole('region', { name: 'Preview' })).toContainText('3 rows have a problem')
    },
  },
]

/** A screen that is not part of the role. */
export const clinicianViews: View[] = [
  {
    name: 'Overview of a clinician',
    async open(page) {
      await become(page, 'Dr. S. Haddad')
      await goTo(page, 'Overview')
      await expect(page.getByRole('figure', { name: 'Time to acknowledge' })).toBeVisible()
    },
  },
]
