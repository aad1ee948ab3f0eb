import { minutes } from '../../../shared/time.ts'
import { notificationOf, outageNotification, testNotification } from '../../../shared/notification-words.ts'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { notificationState, notify, tryNotification } from '../../../renderer/app/notifications.ts'

const now = Date.UTC(2026, 0, 20, 10, 15)
const crisis = notificationOf([{ tier: 'crisis', last_trigger_at: now, reopened: null }], now)
const shown: { title: string; options: NotificationOptions }[] = []
let closed = 0
class Shown {
  static shows = true
  static permission: NotificationPermission = 'granted'
  onclick: (() => void) | null = null
  set onshow(hear: () => void) {
    if (Shown.shows) hear()
  }
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
  Shown.shows = true
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

describe('a notification that is tried', () => {
  const byShell = (shows: boolean) => () => Promise.resolve(shows)

  it('is shown even where the window is in front, and says when', async () => {
    page({ inFront: true })
    expect(await tryNotification(testNotification, byShell(false))).toEqual({
      outcome: 'shown',
      at: expect.any(Number) as number,
    })
    expect(shown).toMatchObject([{ title: 'Test alert', options: { requireInteraction: true } }])
  })

  it('says so where the system never confirms it', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    page({ inFront: true })
    Shown.shows = false
    const tried = tryNotification(testNotification, byShell(false))
    await vi.advanceTimersByTimeAsync(3000)
    expect(await tried).toMatchObject({ outcome: 'not confirmed' })
  })

  it.each(['denied', 'default'] as const)('says that it is not allowed: %s', async (permission) => {
    page({ inFront: true })
    Shown.permission = permission
    expect(await tryNotification(testNotification, byShell(true))).toEqual({ outcome: permission })
    expect(shown).toEqual([])
  })

  it('is left to the shell where there is one', async () => {
    page({ inFront: true, desk: {} })
    expect(await tryNotification(testNotification, byShell(true))).toMatchObject({ outcome: 'shown' })
    expect(await tryNotification(testNotification, byShell(false))).toEqual({ outcome: 'failed' })
    expect(shown).toEqual([])
  })
})
