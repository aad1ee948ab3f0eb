import { afterEach, expect, it } from 'vitest'
import { legacyCrisis } from '../support/events.ts'
import { openConsole, type OpenConsole } from '../support/open-console.ts'
import { testSchool } from '../support/sign-in.ts'

let console: OpenConsole | undefined
afterEach(() => console?.stop())

it('a school whose id is written in upper case, or in braces, is alarmed of its own crises', async () => {
  console = await openConsole({ PSYFLO_SCHOOL_ID: `{${testSchool.toUpperCase()}}` })
  await console.receive(
    legacyCrisis({ session_id: 'one', idempotency_key: 'one-1', school_id: testSchool }),
    legacyCrisis({ session_id: 'two', idempotency_key: 'two-1', school_id: testSchool.toUpperCase() }),
    legacyCrisis({ session_id: 'three', idempotency_key: 'three-1' }),
  )
  const { rows } = await console.as('COUNSELOR').alerts.page({ filter: 'open', offset: 0, limit: 10 })
  expect(rows).toHaveLength(3)
  expect(await console.as('ADMIN').quarantine.list()).toEqual([])
})
