/** `npm run station -- keys` beside a station that runs: what it makes opens it, and what it revokes does no more. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keysBesideStations } from '../support/station-keys.ts'

const house = keysBesideStations(1, () => Promise.resolve({}))

describe('the command', () => {
  async function run(argv: string[], env: Record<string, string>) {
    const program = resolve('main/commands/station.ts')
    const plain = Object.entries(process.env).filter(([name]) => !/^(PSYFLO|AWS|CONSULTX)_/.test(name))
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'keys', ...argv], {
      env: { ...Object.fromEntries(plain), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const written = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, ...written }
  }

  it('writes the key alone to standard output, and leaves it nowhere else', async () => {
    const { env, dataDir } = house
    const { code, stdout, stderr } = await run(['issue', '--label', 'pasted', '--data-dir', dataDir], env)
    expect([code, stderr.split('\n')[0]]).toEqual([0, expect.stringContaining('not shown again')])
    expect(stdout).toMatch(/^psyflo-[\w-]{32}\n$/)
    for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
      const file = join(dataDir, name)
      if (statSync(file).isFile()) expect(readFileSync(file).includes(stdout.trim()), name).toBe(false)
    }
  })

  it('makes nothing where no station was: a mistyped folder, the wrong passphrase, a wrong word', async () => {
    const { env, dataDir } = house
    const nowhere = join(dataDir, 'nowhere')
    const missing = await run(['issue', '--label', 'x', '--data-dir', nowhere], env)
    expect([missing.code, missing.stdout, existsSync(nowhere)]).toEqual([1, '', false])
    expect(missing.stderr).toMatch(/^There is no station data in .*\n.*\n.*start the station once.*\n$/)
    const wrong = await run(['list', '--data-dir', dataDir], { ...env, PSYFLO_PASSPHRASE: 'other words here' })
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toContain('passphrase')
    const misused = await run(['show'], env)
    expect([misused.code, misused.stdout]).toEqual([2, ''])
    expect(misused.stderr).toContain('list, issue, or revoke')
  })
})
