/** The controls every screen is made of. */
export { askEverythingAgain, queryClient, useAction, useLatest, useQuery, useSubscription } from './ask-main.ts'
export type { Answer } from './ask-main.ts'
export { Button } from './button.tsx'
export { ChoiceButtons } from './choice-buttons.tsx'
export { Contact } from './contact.tsx'
export { DataTable, type Column } from './data-table.tsx'
export { Dialog, watchDialogs } from './dialog.tsx'
export { EmptyState } from './empty-state.tsx'
export { ErrorNotice } from './error-notice.tsx'
export { useHandsAtRest } from './hands.ts'
export { beginDrafts, forget, hasDraft, useDraft, useKept, whenDraftsAreKept } from './kept-state.ts'
export { ariaKeys, keyList, keyNames, shownKeys, type KeyName, type KeyScope } from './key-list.ts'
export { actOnKey, hasAction, isDialogOpen, setSingleKeys, useKeys } from './keys.ts'
export { cachedPages, pageSize, refreshPages, usePages, type Pages, type RowsPage } from './pages.ts'
export { OverdueMark } from './overdue-mark.tsx'
export { personalErrorOf } from './personal-error.ts'
export { Panel } from './panel.tsx'
export { RowList, leaveSearch } from './row-list.tsx'
export { Field, Select, type Choice } from './select.tsx'
export { sentimentText } from './sentiment-text.ts'
export { StudentName, studentName } from './student-name.tsx'
export { TextField } from './text-field.tsx'
export { Tabs, type Tab } from './tabs.tsx'
export { TierBadge, TierShape, tierColor } from './tier-badge.tsx'
export { Age, Clock, ReceivedAge, useNow, useTicking } from './time.tsx'
export {
  calendarDayText,
  clockText,
  countdownText,
  dayClockText,
  dayText,
  exportDay,
  exportTime,
  fromTimeField,
  fullText,
  lengthText,
  longAgeText,
  receivedAgeText,
  shownZone,
  showTimesIn,
  soonText,
  spokenLength,
  timeOfDayText,
  toTimeField,
  whenText,
} from './time-text.ts'
export { whenPresets } from './when-presets.ts'
export { WhenField, whenProblem } from './when-field.tsx'
export { useMedia } from './sizes.ts'
