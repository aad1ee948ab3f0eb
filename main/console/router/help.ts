import type { HelpPage } from '../../../shared/views.ts'
import { readHelpPages } from '../../platform/help-pages.ts'
import { callFor, router } from './trpc.ts'

/** What can be read in the program itself. */
export const helpRouter = router({
  pages: callFor('settings.see').query((): HelpPage[] => readHelpPages()),
})
