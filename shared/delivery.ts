/**
 * What the page sends along with everything that changes something, beside the call's own input: main never
 * begins what a person was told was not recorded, and records once what was sent twice.
 */
import { z } from 'zod'

export const deliverySchema = z.object({
  delivery: z.object({
    /** One for each thing that a person means to do, however often it is sent. */
    id: z.uuid(),
    /** UTC milliseconds of this machine's clock: after it main leaves it alone. */
    begin_by: z.int(),
  }),
})
export type Delivery = z.infer<typeof deliverySchema>['delivery']

/** How long main has to begin (milliseconds). */
export const beginsWithin = 4_000

/** How long the page waits for a sign that it has begun: longer, so that what it then says is true (milliseconds). */
export const givesUpAfter = 5_000
