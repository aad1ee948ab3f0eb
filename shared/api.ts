/** The one door from the renderer to main, as a type only. */
export type { AppRouter } from '../main/console/router/index.ts'
