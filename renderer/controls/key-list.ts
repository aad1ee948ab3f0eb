/**
 * Every key that acts, said once: what is pressed and where it acts. Its words stand in the catalog under
 * the same name; what it does and whether it can be done just now says the component that has the action
 * (`useKeys`). Handlers, the list of keys, the palette and the hints on buttons all read this.
 */

/** `everywhere` acts on every screen, `alerts` on an open alert, `list` in whatever list is on screen. */
export type KeyScope = 'everywhere' | 'alerts' | 'list'

interface KeyEntry {
  /** A key by its character, two with a space between them one after the other, `Mod+` = Ctrl or ⌘. */
  press: string
  scope: KeyScope
  /** Does the same, for hands that know it. */
  also?: string
}

export const keyList = {
  goAlerts: { press: 'g a', scope: 'everywhere' },
  goMyDay: { press: 'g d', scope: 'everywhere' },
  goStudents: { press: 'g s', scope: 'everywhere' },
  goSessions: { press: 'g e', scope: 'everywhere' },
  goOverview: { press: 'g o', scope: 'everywhere' },
  goSettings: { press: 'g t', scope: 'everywhere' },
  goHelp: { press: 'g h', scope: 'everywhere' },
  newCrisis: { press: '.', scope: 'everywhere' },
  undo: { press: 'u', scope: 'everywhere' },
  search: { press: '/', scope: 'everywhere' },
  palette: { press: 'Mod+k', scope: 'everywhere' },
  lock: { press: 'Mod+l', scope: 'everywhere' },
  keys: { press: '?', scope: 'everywhere' },
  next: { press: 'j', scope: 'list', also: 'ArrowDown' },
  previous: { press: 'k', scope: 'list', also: 'ArrowUp' },
  first: { press: 'Home', scope: 'list' },
  last: { press: 'End', scope: 'list' },
  open: { press: 'Enter', scope: 'list' },
  done: { press: 'd', scope: 'list' },
  back: { press: 'Escape', scope: 'list' },
  acknowledge: { press: 'a', scope: 'alerts' },
  handOff: { press: 'h', scope: 'alerts' },
  note: { press: 'n', scope: 'alerts' },
  resolve: { press: 'r', scope: 'alerts' },
  reveal: { press: 'e', scope: 'alerts' },
  incidentRecord: { press: 'i', scope: 'alerts' },
  openAlert: { press: 'o', scope: 'alerts' },
} as const satisfies Record<string, KeyEntry>

export type KeyName = keyof typeof keyList

export const keyNames = Object.keys(keyList) as KeyName[]

/** How a key is written for people, one piece per key after another: `['g', 'a']`, `['Ctrl K']`. */
export function shownKeys(name: KeyName): string[] {
  return keyList[name].press
    .split(' ')
    .map((key) => key.replace(/^Mod\+(.)$/, (_, letter: string) => `Ctrl ${letter.toUpperCase()}`))
}

/** The same as `aria-keyshortcuts` wants it. */
export function ariaKeys(name: KeyName): string {
  return keyList[name].press.replace('Mod+', 'Control+')
}

const byPress = new Map(
  keyNames.flatMap((name): [string, KeyName][] => {
    const entry: KeyEntry = keyList[name]
    return [entry.press, ...(entry.also === undefined ? [] : [entry.also])].map((press) => [press, name])
  }),
)

/** The key pressed so, or null. */
export function keyPressed(press: string): KeyName | null {
  return byPress.get(press) ?? null
}

/** Whether this begins a sequence: what follows soon belongs to it. */
export function beginsSequence(press: string): boolean {
  return keyNames.some((name) => keyList[name].press.startsWith(`${press} `))
}
