/** What the screens need of the app: the wire, the place, the person. */
export { goTo, show, usePlace, type Place, type Screen } from './navigation.ts'
export { MeProvider, useMe, useMay } from './me.tsx'
export { trpc } from './wire.ts'
