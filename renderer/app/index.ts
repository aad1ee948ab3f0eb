/** What the screens need of the app: the wire, the place, the person. */
export { announce } from './announcer.tsx'
export { Columns, type ResizableColumn } from './columns.tsx'
export { useWire } from './connection.tsx'
export { MeProvider, useMay, useMe } from './me.tsx'
export { goTo, show, usePlace, type Place, type Screen } from './navigation.ts'
export { setPreferences, usePreferences } from './preferences.ts'
export { playSound } from './sound.ts'
export { trpc } from './wire.ts'
