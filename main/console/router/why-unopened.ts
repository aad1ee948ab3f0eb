import type { Unopened } from '../../../shared/views.ts'
import type { Caller } from './context.ts'

/** Why words that do not open here do not: a console that waits to be approved has no key of its school yet. */
export function whyUnopened({ parts }: Pick<Caller, 'parts'>): Unopened {
  return parts.enrolment.view().state === 'waiting' ? 'not approved' : 'other key'
}
