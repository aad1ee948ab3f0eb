import { afterAll, beforeAll, expect, it } from 'vitest'
import { openConsole, otherSchool, type OpenConsole } from '../../../support/open-console.ts'

let at: OpenConsole
beforeAll(async () => {
  at = await openConsole()
}, 30_000)
afterAll(() => at.stop())

it('are each person’s own, the newest under a name, until they are done with', async () => {
  const counselor = at.as('COUNSELOR').drafts
  const clinician = at.as('CLINICIAN').drafts
  await counselor.keep({ name: 'alert k note', draft: '"Called"' })
  await counselor.keep({ name: 'alert k note', draft: '"Called home."' })
  await counselor.keep({ name: 'alert k to', draft: '"somebody"' })
  await clinician.keep({ name: 'alert k note', draft: '"Another hand."' })
  expect(await counselor.mine()).toEqual({ 'alert k note': '"Called home."', 'alert k to': '"somebody"' })
  expect(await clinician.mine()).toEqual({ 'alert k note': '"Another hand."' })
  expect(await at.as('COUNSELOR', otherSchool).drafts.mine()).toEqual({})
  await counselor.keep({ name: 'alert k note', draft: null })
  expect(await counselor.mine()).toEqual({ 'alert k to': '"somebody"' })
  expect(await clinician.mine()).toEqual({ 'alert k note': '"Another hand."' })
})
