/** The screens, each loaded when first opened. */
import { lazy, type ComponentType } from 'react'
import type { Permission } from '../../shared/permissions.ts'
import { AlertsScreen, LateStartScreen } from '../alerts/index.ts'
import { SetUpScreen } from '../setup/index.ts'
import type { KeyName } from '../controls/index.ts'
import type { Screen } from './navigation.ts'

export interface Route {
  screen: Screen
  /** The key that goes there; null = it is no part of the navigation. */
  key: KeyName | null
  needs: Permission
  Component: ComponentType
}

const MyDay = lazy(async () => ({ default: (await import('../my-day/index.ts')).MyDayScreen }))
const Students = lazy(async () => ({ default: (await import('../students/index.ts')).StudentsScreen }))
const Sessions = lazy(async () => ({ default: (await import('../sessions/index.ts')).SessionsScreen }))
const Overview = lazy(async () => ({ default: (await import('../overview/index.ts')).OverviewScreen }))
const Settings = lazy(async () => ({ default: (await import('../settings/index.ts')).SettingsScreen }))
const Help = lazy(async () => ({ default: (await import('../help/index.ts')).HelpScreen }))
const Incident = lazy(async () => ({ default: (await import('../incident/index.ts')).IncidentScreen }))

export const routes: readonly Route[] = [
  { screen: 'alerts', key: 'goAlerts', needs: 'alerts.see', Component: AlertsScreen },
  { screen: 'my-day', key: 'goMyDay', needs: 'alerts.act', Component: MyDay },
  { screen: 'students', key: 'goStudents', needs: 'students.see', Component: Students },
  { screen: 'sessions', key: 'goSessions', needs: 'students.see', Component: Sessions },
  { screen: 'overview', key: 'goOverview', needs: 'overview.see', Component: Overview },
  { screen: 'settings', key: 'goSettings', needs: 'settings.see', Component: Settings },
  { screen: 'help', key: 'goHelp', needs: 'settings.see', Component: Help },
  { screen: 'incident', key: null, needs: 'alerts.see', Component: Incident },
  { screen: 'late-start', key: null, needs: 'alerts.see', Component: LateStartScreen },
  { screen: 'set-up', key: null, needs: 'strip.see', Component: SetUpScreen },
]
