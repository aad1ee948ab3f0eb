/**
 * System notifications of the page, for the browser. In the shell of its own main notifies already. They
 * name nobody and quote nothing, and permission is asked for by a press of a button only.
 */
import { useSyncExternalStore } from 'react'
import type { NotificationText } from '../../shared/notification-words.ts'
import { goTo } from './navigation.ts'

/** `desk`: main's business; `missing`: this browser has none. */
export type NotificationState = 'desk' | 'missing' | NotificationPermission

const listeners = new Set<() => void>()
let following = false
/** Asking the browser stops the page until it answers: too long for every time the strip is drawn. */
let known: NotificationState | null = null

function tellAll(): void {
  known = null
  listeners.forEach((tell) => tell())
}

export function notificationState(): NotificationState {
  if (window.desk) return 'desk'
  return typeof Notification === 'undefined' ? 'missing' : Notification.permission
}

/** The state now; draws again when it is allowed or forbidden, here or in the browser's settings. */
export function useNotificationState(): NotificationState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      follow()
      return () => listeners.delete(listener)
    },
    () => (known ??= notificationState()),
  )
}

function follow(): void {
  if (following || window.desk || !('permissions' in navigator)) return
  following = true
  navigator.permissions.query({ name: 'notifications' }).then(
    (status) => status.addEventListener('change', tellAll),
    () => undefined,
  )
}

/** Has the browser ask the person. */
export async function askForNotifications(): Promise<void> {
  await Notification.requestPermission()
  tellAll()
}

/** Tells the desktop where the window is not in front; the answer takes it back. One of a `tag` stands for all of it. */
export function notify(
  { title, body, urgent }: NotificationText,
  tag: 'alert' | 'outage' | 'due' = 'alert',
): () => void {
  if (notificationState() !== 'granted') return nothing
  if (document.visibilityState === 'visible' && document.hasFocus()) return nothing
  const options = {
    body,
    // One notification stands for many, and comes up anew for each.
    tag,
    renotify: true,
    requireInteraction: urgent,
  }
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      notification.close()
      window.focus()
      goTo(tag === 'due' ? 'my-day' : 'alerts')
    }
    return () => notification.close()
  } catch {
    // Some systems let only service workers notify; sound, title and strip remain.
    return nothing
  }
}

/** What became of a notification that was shown to try it. `at`: UTC milliseconds. */
export type TriedNotification =
  | { outcome: 'shown' | 'not confirmed'; at: number }
  | { outcome: 'failed' | Exclude<NotificationState, 'desk' | 'granted'> }

/** So long the system may take to say that it has shown one (milliseconds). */
const confirmsWithin = 3000

/**
 * Shows a notification, whether or not the window is in front, and answers with what became of it. `byShell`: has main
 * show it; false = it could not.
 */
export async function tryNotification(
  { title, body, urgent }: NotificationText,
  byShell: () => Promise<boolean>,
): Promise<TriedNotification> {
  const state = notificationState()
  if (state === 'desk') {
    const isShown = await byShell().catch(() => false)
    return isShown ? { outcome: 'shown', at: Date.now() } : { outcome: 'failed' }
  }
  if (state !== 'granted') return { outcome: state }
  return new Promise((done) => {
    try {
      const notification = new Notification(title, { body, tag: 'test', requireInteraction: urgent })
      notification.onshow = () => done({ outcome: 'shown', at: Date.now() })
      notification.onerror = () => done({ outcome: 'failed' })
      setTimeout(() => done({ outcome: 'not confirmed', at: Date.now() }), confirmsWithin)
    } catch {
      done({ outcome: 'failed' })
    }
  })
}

const nothing = (): void => undefined
