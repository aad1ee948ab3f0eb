import type { TestAlertResult } from '../../../shared/test-alert.ts'
import { callFor, router } from './trpc.ts'

/** What somebody can try of how they are told; the ladder itself is part of the policy. */
export const onCallRouter = router({
  testAlert: callFor('directory.see').mutation(({ ctx }): Promise<TestAlertResult> =>
    ctx.parts.directory.testAlert(ctx.person),
  ),
  /** The part of it that is this desktop’s; false where the page shows notifications by itself. */
  testNotification: callFor('directory.see').mutation(({ ctx }): boolean => ctx.parts.testNotification()),
})
