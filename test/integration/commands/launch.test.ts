import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let root: string

beforeAll(() => {
  // The launcher finds its commands beside itself: a copy of it with commands made for this test.
  root = mkdtempSync(join(tmpdir(), 'launch-'))
  const commands = join(root, 'main', 'commands')
  mkdirSync(commands, { recursive: true })
  mkdirSync(join(root, 'node_modules', 'zod'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  cpSync(resolve('main/commands/launch.mjs'), join(commands, 'launch.mjs'))
  writeFileSync(
    join(commands, 'echo.ts'),
    'const args: string[] = process.argv.slice(2)\nconsole.log(JSON.stringify({ args, node: process.versions.node }))\n',
  )
  writeFileSync(join(commands, 'leave.ts'), 'process.exit(Number(process.argv[2]) as number)\n')
  writeFileSync(join(commands, 'end.ts'), "process.kill(process.pid, 'SIGKILL')\n")
})
afterAll(() => rmSync(root, { recursive: true }))

const launch = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'main', 'commands', 'launch.mjs'), ...args], { encoding: 'utf8' })

describe('the launcher', () => {
  it('runs a command from its TypeScript source, without a word of its own, and passes every argument', () => {
    const { stdout, stderr, status } = launch('echo', '--port', '0', 'two words', '')
    expect(JSON.parse(stdout)).toMatchObject({ args: ['--port', '0', 'two words', ''] })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  it('passes the exit code through, and a signal as a shell would', () => {
    expect(launch('leave', '0').status).toBe(0)
    expect(launch('leave', '7').status).toBe(7)
    if (process.platform !== 'win32') expect(launch('end').status).toBe(137)
  })

  it('names the commands where it does not know one', () => {
    const { stderr, status } = launch('strat')
    expect(status).toBe(2)
    expect(stderr).toContain('There is no command “strat”. Commands: echo, end, leave.')
  })

  it('says so where the packages are missing', () => {
    rmSync(join(root, 'node_modules'), { recursive: true })
    const { stderr, status } = launch('echo')
    expect(status).toBe(1)
    expect(stderr).toContain('npm ci')
  })
})
