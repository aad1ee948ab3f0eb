import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { notificationState, notify } from '../../../renderer/app/notifications.ts'

const shown: { title: string; options: NotificationOptions }[] = []
class Shown {
  static permission: NotificationPermission = 'granted'
  onclick: (() => void) | null = null
  constructor(title: string, options: NotificationOptions) {
    shown.push({ title, options })
  }
  close() {}
}

function page(state: { inFront: boolean; desk?: object }): void {
  vi.stubGlobal('window', state.desk ? { desk: state.desk } : {})
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => state.inFront })
}

beforeEach(() => {
  shown.length = 0
  Shown.permission = 'granted'
  vi.stubGlobal('Notification', Shown)
})
afterEach(() => vi.unstubAllGlobals())

it('tells the desktop when the window is not in front, naming nobody', () => {
  page({ inFront: false })
  notify('crisis')
  expect(shown).toEqual([
    {
      title: 'Crisis alert',
      options: expect.objectContaining({ body: 'A student may need help now.', requireInteraction: true }) as unknown,
    },
  ])
})

it('is silent while the window is in front, where it is not allowed, and where the shell notifies', () => {
  page({ inFront: true })
  notify('crisis')
  page({ inFront: false })
  Shown.permission = 'denied'
  notify('crisis')
  Shown.permission = 'granted'
  page({ inFront: false, desk: {} })
  notify('crisis')
  expect(notificationState()).toBe('desk')
  vi.stubGlobal('Notification', undefined)
  page({ inFront: false })
  expect(notificationState()).toBe('missing')
  notify('crisis')
  expect(shown).toEqual([])
})
