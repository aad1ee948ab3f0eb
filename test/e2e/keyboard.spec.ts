import type { Locator, Page } from '@playwright/test'
import { detail, inbox, openAlert, pressOnAlert } from '../support/screens.ts'
import { become, expect, test } from '../support/shared-demo.ts'

/** The focused element has a ring of 2 px, and somebody can tell what it is. */
async function expectRing(page: Page): Promise<void> {
  // What closes hands the focus back a moment later.
  await expect.poll(() => ringOn(page)).toBe('ringed')
}

function ringOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement
    if (!(at instanceof HTMLElement) || at === document.body) return 'lost'
    const { outlineStyle, outlineWidth } = getComputedStyle(at)
    const ringed = at.matches(':focus-visible') && outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2
    return ringed
      ? 'ringed'
      : `without a ring: ${at.tagName} ${at.getAttribute('aria-label') ?? at.innerText.slice(0, 40)}`
  })
}

/** Tab until the focus is where it is wanted; everything on the way has a ring. */
async function tabTo(page: Page, wanted: (page: Page) => Promise<boolean>, most = 60): Promise<void> {
  for (let pressed = 0; pressed < most; pressed += 1) {
    if (await wanted(page)) return
    await page.keyboard.press('Tab')
    await expectRing(page)
  }
  throw new Error('The Tab key does not lead there.')
}

const isOn = (name: string | RegExp) => (page: Page) =>
  page.evaluate(
    ([source, flags]) => {
      const at = document.activeElement
      if (at === document.body) return false
      const labelled = at?.id ? document.querySelector(`label[for="${CSS.escape(at.id)}"]`) : null
      const says =
        at?.getAttribute('aria-label') ?? labelled?.textContent ?? (at as HTMLElement | null)?.innerText ?? ''
      return new RegExp(source ?? '', flags).test(says)
    },
    typeof name === 'string' ? [`^${name}`, ''] : [name.source, name.flags],
  )

const chosen = (page: Page) => inbox(page).locator('[aria-current]')
const dialog = (page: Page) => page.getByRole('dialog')

/**
 * Moves the choice to the row that says so, one step at a time: a step shows a moment after its key, and other
 * alerts may come in above meanwhile.
 */
async function stepTo(page: Page, says: RegExp): Promise<void> {
  const position = (row: Locator) =>
    row.evaluate((link) => Number(link.closest('[role=listitem]')?.getAttribute('aria-posinset')))
  await expect(async () => {
    const from = await position(chosen(page))
    const to = await position(inbox(page).getByRole('link').filter({ hasText: says }))
    const before = (await chosen(page).getAttribute('data-alert')) ?? ''
    if (from !== to) {
      await page.keyboard.press(from < to ? 'j' : 'k')
      await expect(chosen(page)).not.toHaveAttribute('data-alert', before, { timeout: 2_000 })
    }
    await expect(chosen(page)).toContainText(says, { timeout: 100 })
  }).toPass({ intervals: [0], timeout: 30_000 })
}

test.describe('by keyboard alone', () => {
  test('every screen, the list of keys, the palette and the lock', async ({ desk: page }) => {
    for (const [key, screen] of [
      ['s', 'Students'],
      ['e', 'Sessions'],
      ['t', 'Settings'],
      ['a', 'Alerts'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(page.getByRole('navigation').getByRole('link', { name: screen })).toHaveAttribute(
        'aria-current',
        'page',
      )
    }

    await page.keyboard.press('?')
    await expect(dialog(page)).toContainText('Go to Overview')
    await expectRing(page)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)

    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search alerts' })).toBeFocused()
    await expectRing(page)
    await page.keyboard.type('j')
    await expect(page.getByRole('searchbox', { name: 'Search alerts' })).toHaveValue('j')
    await page.keyboard.press('Backspace')

    await page.keyboard.press('Control+k')
    await expectRing(page)
    await page.keyboard.type('Go to Students')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('list', { name: 'Students' })).toBeVisible()
    await page.keyboard.press('j')
    await expectRing(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('figure', { name: 'Risk trajectory' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('list', { name: 'Students' })).toBeVisible()

    await page.keyboard.press('Control+l')
    await expect(page.getByRole('heading', { name: 'The screen is hidden' })).toBeVisible()
    await expectRing(page)
    await expect(page.getByRole('navigation')).toBeHidden()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await expect(page.getByRole('heading', { name: 'The screen is hidden' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('list', { name: 'Students' })).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
  })

  test('the overview, as a clinician who came there through the menu of people', async ({ desk: page, demo }) => {
    await openAlert(page, 'Open', new RegExp(await demo.say('I am going to kill myself tonight.')))
    // The first stop of the Tab key.
    await page.getByRole('banner').getByRole('link').focus()
    await tabTo(page, isOn(/A\. Rivera/))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    // Letters find a person of the menu; they do nothing to the alert behind it.
    await page.keyboard.press('a')
    await page.keyboard.press('r')
    await expect(dialog(page)).toHaveCount(0)
    await expect(detail(page).getByRole('button', { name: 'Acknowledge' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expectRing(page)
    await page.keyboard.press('Enter')
    await page.keyboard.press('d')
    await expect(page.getByRole('menuitem', { name: 'Dr. S. Haddad' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('navigation').getByRole('button')).toContainText('Dr. S. Haddad')
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await expect(page.getByRole('figure', { name: 'Time to acknowledge' })).toBeVisible()
    await tabTo(page, isOn('Show as table'))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('table').first()).toBeVisible()
  })

  test('an alert from the list to its evidence, acknowledged, noted, handed off, accepted and resolved', async ({
    desk: page,
    demo,
  }) => {
    const student = new RegExp(await demo.say('I am going to kill myself tonight.'))
    await expect(inbox(page).getByRole('link').filter({ hasText: student })).toBeVisible()

    await expect(chosen(page)).toBeVisible()
    const first = (await chosen(page).getAttribute('data-alert')) ?? ''
    // The first step chooses what is on screen.
    await page.keyboard.press('j')
    await expect(detail(page)).toHaveAttribute('data-chosen', 'true')
    await expect(chosen(page)).toHaveAttribute('data-alert', first)
    // One down and one up is back again, unless the order of the list changed in between: other tests act in it, too.
    await expect(async () => {
      const here = (await chosen(page).getAttribute('data-alert')) ?? ''
      await page.keyboard.press('j')
      await expect(chosen(page)).not.toHaveAttribute('data-alert', here, { timeout: 2_000 })
      await page.keyboard.press('k')
      await expect(chosen(page)).toHaveAttribute('data-alert', here, { timeout: 2_000 })
    }).toPass({ intervals: [0], timeout: 30_000 })
    await stepTo(page, student)
    await page.keyboard.press('Enter')
    await expect(detail(page).locator('#alert-heading')).toBeFocused()
    await expect(detail(page).locator('#alert-heading')).toContainText(student)
    await expectRing(page)

    await pressOnAlert(page, 'a')
    await expect(detail(page)).toContainText('A. Rivera acknowledged')
    await expect(detail(page).getByRole('button', { name: 'Acknowledge' })).toHaveCount(0)

    await pressOnAlert(page, 'n')
    await expect(dialog(page).getByLabel('Note')).toBeFocused()
    await expectRing(page)
    await page.keyboard.type('Called home; grandmother is with them.')
    await page.keyboard.press('Control+Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect(detail(page)).toContainText('grandmother is with them')
    await expectRing(page)

    await pressOnAlert(page, 'e')
    await expect(dialog(page).getByLabel('Reason for reading')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(detail(page)).toContainText('I am going to kill myself tonight.')
    await expectRing(page)
    await pressOnAlert(page, 'e')
    await expect(detail(page)).not.toContainText('I am going to kill myself tonight.')

    await pressOnAlert(page, 'h')
    await expect(dialog(page)).toBeVisible()
    await tabTo(page, isOn('To'))
    await page.keyboard.type('K. O')
    await tabTo(page, isOn('Note for them'))
    await page.keyboard.type('You know the family.')
    await page.keyboard.press('Control+Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect(detail(page)).toContainText('handed off to K. Osei')
    await expectRing(page)

    await become(page, 'K. Osei')
    await openAlert(page, 'Open', student)
    await tabTo(page, isOn('Accept hand-off'))
    await page.keyboard.press('Enter')
    await expect(detail(page)).toContainText('K. Osei accepted the hand-off')
    await expectRing(page)

    await pressOnAlert(page, 'r')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await tabTo(page, isOn('Outcome'))
    await page.keyboard.press('Control+Enter')
    await expect(dialog(page)).toContainText('Choose an outcome.')
    await page.keyboard.type('Safety')
    await tabTo(page, isOn('What was done'))
    await page.keyboard.type('Safety plan written together.')
    await tabTo(page, isOn('Reason for resolving without them'))
    await page.keyboard.type('Done with the clinic.')
    await tabTo(page, isOn(/^Resolve/))
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect(detail(page)).toContainText('resolved it')
    await expect(detail(page)).toContainText('Safety plan')
    await expectRing(page)
  })
})
