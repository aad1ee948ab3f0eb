/** Setting this machine up for a school, and signing in at its desk. */
import { lazy } from 'react'

export { Choose, SignIn } from './sign-in.tsx'
export { SetUpPage } from './set-up-page.tsx'
/** Brings the panels of Settings along: loaded when it is opened. */
export const SetUpScreen = lazy(async () => ({ default: (await import('./set-up-screen.tsx')).SetUpScreen }))
