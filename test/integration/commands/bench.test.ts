import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..', '..', '..')
const bench = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'main/commands/launch.mjs'), 'bench', ...args], {
    cwd: root,
    encoding: 'utf8',
  })

test('--help names the benchmarks', () => {
  expect(bench('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('queue-to-paint') as string })
})

test('a benchmark nobody knows is misuse, and nothing is measured', () => {
  expect(bench('--only', 'everything')).toMatchObject({ status: 2, stdout: '' })
})
