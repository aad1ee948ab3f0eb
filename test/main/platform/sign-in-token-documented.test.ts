import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readSignInToken } from '../../../main/platform/sign-in-token.ts'
import { systemClock } from '../../../main/platform/clock.ts'

const readme = readFileSync('README.md', 'utf8')
const secret = 'a shared secret of at least thirty-two characters'

it('the line in README makes a token that signs an admin in', async () => {
  const [, program = ''] = /^node --input-type=module -e '(.+)'$/m.exec(readme) ?? []
  const made = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, PSYFLO_JWT_SECRET: secret },
  })
  expect(made.stderr).toBe('')
  const keys = { jwtSecret: secret, jwksUrl: null, jwtIssuer: null, jwtAudience: null }
  expect(await readSignInToken(made.stdout.trim(), keys, systemClock.now())).toEqual({
    id: 'admin-1',
    name: 'A. Dean',
    role: 'ADMIN',
    school_id: 'your-school-id',
  })
})

it.each(['sub', 'school_id', 'role', 'name', 'iat', 'exp', 'COUNSELOR', 'CLINICIAN', 'ADMIN'])(
  'README and the help of doctor tell of %s',
  (claim) => {
    expect(readme).toContain(`\`${claim}\``)
    expect(readFileSync('main/commands/doctor.ts', 'utf8')).toMatch(new RegExp(`\\b${claim}\\b`))
  },
)
