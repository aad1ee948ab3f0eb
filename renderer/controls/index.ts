/** The controls every screen is made of. */
export { askEverythingAgain, queryClient, useAction, useLatest, useQuery, useSubscription } from './asking.ts'
export type { Action, Answer, Subscribed, SubscriptionHandlers } from './asking.ts'
export { Button, type ButtonProps } from './button.tsx'
export { ChoiceButtons } from './choice-buttons.tsx'
export { DataTable, type Column } from './data-table.tsx'
export { Dialog } from './dialog.tsx'
export { EmptyState } from './empty-state.tsx'
export { ErrorNotice } from './error-notice.tsx'
export { forget, useKept } from './kept.ts'
export { isTyping, setSingleKeys, useKeys } from './keys.ts'
export { PagedRows, usePagedRows, type RowsPage } from './paged-rows.ts'
export { Panel } from './panel.tsx'
export { personalErrorOf } from './personal-error.ts'
export { RowList, leaveSearch, type RowListProps } from './row-list.tsx'
export { Field, Select, type Choice } from './select.tsx'
export { StudentName, studentName } from './student-name.tsx'
export { Tabs, type Tab } from './tabs.tsx'
export { TierBadge, TierShape, tierColor, tierText } from './tier-badge.tsx'
export { Age, Clock, useNow, useTicking } from './time.tsx'
export {
  ageText, clockText, countdownText, dayText, fullText, lengthText, shownZone, showTimesIn, whenText,
} from './time-text.ts' // prettier-ignore
export { useMedia } from './sizes.ts'
