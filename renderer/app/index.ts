/** What the screens need of the app: the wire, the place, the person. */
export { ActionForm } from './action-form.tsx'
export { announce, Announcer, tell } from './announcer.tsx'
export { Columns } from './columns.tsx'
export { CopyLink } from './copy-link.tsx'
export { useWire } from './connection.tsx'
export { checkedAt, ladderNow } from './strip-state.ts'
export { useLateStart } from './late-start.tsx'
export { useLocked } from './locked.ts'
export { useMay, useMe } from './me.tsx'
export { goTo, show, usePlace } from './navigation.ts'
export {
  askForNotifications,
  notify,
  tryNotification,
  useNotificationState,
  type TriedNotification,
} from './notifications.ts'
export { setPreferences, usePreferences } from './preferences.ts'
export { unappliedText } from './report-text.ts'
export { ScreenBoundary } from './screen-boundary.tsx'
export { SearchedList, useStudentPages } from './searched-list.tsx'
export { offerUndo, UndoInDialog } from './undo-bar.tsx'
export { playSound, trySound } from './sound.ts'
export { trpc } from './wire.ts'
