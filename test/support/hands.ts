/** The same things done by somebody who has only a keyboard, and by somebody who reaches for the mouse. */
import { expect, type Locator, type Page } from '@playwright/test'
import { pressOnAlert } from './screens.ts'

/** How somebody does what a story asks of them; each counts what it took. */
export interface Hands {
  name: 'keyboard' | 'mouse'
  /** Keys pressed and buttons clicked so far; letters of what is written are not counted. */
  count(): number
  /** A button, a link or a box to check. */
  press(control: Locator): Promise<void>
  /** Something about the alert on screen, by its own key or by its button. */
  act(page: Page, key: string, button: string): Promise<void>
  /** A screen of the navigation. `keys`: what leads there. */
  screen(page: Page, name: string, keys: string): Promise<void>
  /** What announced itself at the foot of the window. */
  openNews(page: Page): Promise<void>
  write(field: Locator, text: string): Promise<void>
  /** Of the browser's own choice, by the beginning of its words. */
  choose(select: Locator, text: string): Promise<void>
  /** Sends the form of a dialog or of a panel, whose button is named. */
  send(button: Locator): Promise<void>
}

/** As many Tabs nobody presses on purpose. */
const most = 150

/** Nothing of the mouse is used in here. */
export function keyboardHands(): Hands {
  let pressed = 0
  const key = async (page: Page, name: string) => {
    pressed += 1
    await page.keyboard.press(name)
  }
  /** Tab forwards or back, whichever is nearer, until it has the focus. */
  const tabTo = async (control: Locator) => {
    await expect(control).toBeVisible()
    const page = control.page()
    for (let tabs = 0; tabs < most; tabs += 1) {
      const where = await control.evaluate((wanted) => {
        const at = document.activeElement
        if (at === wanted) return 'here'
        return at && wanted.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING ? 'before' : 'after'
      })
      if (where === 'here') return
      await key(page, where === 'before' ? 'Shift+Tab' : 'Tab')
    }
    throw new Error(`The Tab key does not lead to ${String(control)}.`)
  }
  return {
    name: 'keyboard',
    count: () => pressed,
    async press(control) {
      await tabTo(control)
      const box = (await control.getAttribute('type')) === 'checkbox'
      await key(control.page(), box ? 'Space' : 'Enter')
    },
    async act(page, name) {
      pressed += 1
      await pressOnAlert(page, name)
    },
    async screen(page, _name, keys) {
      for (const each of keys.split(' ')) await key(page, each)
    },
    openNews: (page) => key(page, '.'),
    async write(field, text) {
      await tabTo(field)
      await field.page().keyboard.type(text)
    },
    async choose(select, text) {
      await tabTo(select)
      await select.page().keyboard.type(text)
    },
    send: (button) => key(button.page(), 'Control+Enter'),
  }
}

/** Clicks; letters come from the keyboard, and nothing else does. */
export function mouseHands(): Hands {
  let clicked = 0
  const click = async (control: Locator) => {
    clicked += 1
    await control.click()
  }
  return {
    name: 'mouse',
    count: () => clicked,
    press: click,
    act: (page, _key, button) =>
      click(page.getByRole('region', { name: 'Alert', exact: true }).getByRole('button', { name: button })),
    screen: (page, name) => click(page.getByRole('navigation').getByRole('link', { name })),
    openNews: (page) =>
      click(page.getByRole('complementary', { name: 'New crisis' }).getByRole('button', { name: 'Open' })),
    async write(field, text) {
      await click(field)
      await field.page().keyboard.type(text)
    },
    async choose(select, text) {
      clicked += 2
      const value = await select
        .getByRole('option')
        .filter({ hasText: new RegExp(`^${text}`) })
        .first()
        .getAttribute('value')
      await select.selectOption(value)
    },
    send: click,
  }
}
