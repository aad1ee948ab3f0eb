import { minutes } from '../../../shared/time.ts'
import { notificationOf, outageNotification } from '../../../shared/notification-words.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { notificationState, notify } from '../../../renderer/app/notifications.ts'

const now = Date.UTC(2026, 0, 20, 10, 15)
const crisis = notificationOf([{ tier: 'crisis', last_trigger_at: now, reopened: null }], now)
const shown: { title: string; options: NotificationOptions }[] = []
let closed = 0
class Shown {
  static permission: NotificationPermission = 'granted'
  onclick: (() => void) | null = null
  constructor(title: string, options: NotificationOptions) {
    shown.push({ title, options })
  }
  close() {
    closed += 1
  }
}

function page(state: { inFront: boolean; desk?: object }): void {
  vi.stubGlobal('window', state.desk ? { desk: state.desk } : {})
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => state.inFront })
}

beforeEach(() => {
  shown.length = 0
  closed = 0
  Shown.permission = 'granted'
  vi.stubGlobal('Notification', Shown)
})
afterEach(() => vi.unstubAllGlobals())

it('tells the desktop when the window is not in front, naming nobody', () => {
  page({ inFront: false })
  notify(crisis)
  expect(shown).toEqual([
    {
      title: 'Crisis alert',
      options: expect.objectContaining({ body: 'A student may need help now.', requireInteraction: true }) as unknown,
    },
  ])
})

it('says that an alert is late which was raised a while ago', () => {
  page({ inFront: false })
  notify(notificationOf([{ tier: 'high', last_trigger_at: now - minutes(6), reopened: null }], now))
  expect(shown).toMatchObject([{ title: 'Late: alert', options: { requireInteraction: false } }])
  expect(shown[0]?.options.body).toContain('only now')
})

it('is silent while the window is in front, where it is not allowed, and where the shell notifies', () => {
  page({ inFront: true })
  notify(crisis)
  page({ inFront: false })
  Shown.permission = 'denied'
  notify(crisis)
  Shown.permission = 'granted'
  page({ inFront: false, desk: {} })
  notify(crisis)
  expect(notificationState()).toBe('desk')
  vi.stubGlobal('Notification', undefined)
  page({ inFront: false })
  expect(notificationState()).toBe('missing')
  notify(crisis)
  expect(shown).toEqual([])
})

it('takes back what is over, and leaves alerts standing beside it', () => {
  page({ inFront: false })
  notify(crisis)
  const takeBack = notify(outageNotification, 'outage')
  expect(shown.map(({ options }) => options.tag)).toEqual(['alert', 'outage'])
  takeBack()
  expect(closed).toBe(1)
  page({ inFront: true })
  notify(outageNotification, 'outage')()
  expect(closed).toBe(1)
})
