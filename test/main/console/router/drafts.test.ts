import { afterAll, beforeAll, expect, it } from 'vitest'
import { openConsole, otherSchool, type OpenConsole } from '../../../support/open-console.ts'

let at: OpenConsole
beforeAll(async () => {
  at = await openConsole()
}, 30_000)
afterAll(() => at.stop())

it('are each person’s own, the newest under a name, until they are done with', async () => {
  const drafts = async (role: 'COUNSELOR' | 'CLINICIAN', school?: string) => {
    const calls = at.as(role, school).drafts
    const { person } = await calls.mine()
    return {
      person,
      keep: (draft: { name: string; draft: string | null }, whose = person) => calls.keep({ person: whose, ...draft }),
      mine: async () => (await calls.mine()).drafts,
    }
  }
  const [counselor, clinician] = [await drafts('COUNSELOR'), await drafts('CLINICIAN')]
  await counselor.keep({ name: 'alert k note', draft: '"Called"' })
  await counselor.keep({ name: 'alert k note', draft: '"Called home."' })
  await counselor.keep({ name: 'alert k to', draft: '"somebody"' })
  await clinician.keep({ name: 'alert k note', draft: '"Another hand."' })
  expect(await counselor.mine()).toEqual({ 'alert k note': '"Called home."', 'alert k to': '"somebody"' })
  expect(await clinician.mine()).toEqual({ 'alert k note': '"Another hand."' })
  expect(await (await drafts('COUNSELOR', otherSchool)).mine()).toEqual({})
  await counselor.keep({ name: 'alert k note', draft: null })
  expect(await counselor.mine()).toEqual({ 'alert k to': '"somebody"' })
  expect(await clinician.mine()).toEqual({ 'alert k note': '"Another hand."' })
  // A window hands on what was typed by whoever sat there before.
  await clinician.keep({ name: 'alert k to', draft: '"Private."' }, counselor.person)
  expect(await clinician.mine()).toEqual({ 'alert k note': '"Another hand."' })
})
