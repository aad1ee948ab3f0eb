import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const readme = readFileSync('README.md', 'utf8')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

it('names every command there is, and none that is not', () => {
  const named = [...readme.matchAll(/npm (?:run )?(start|test(?!:)|(?<=run )[a-z0-9:]+)/g)].map(([, name]) => name)
  const shown = Object.keys(scripts).filter((name) => !['build', 'format'].includes(name))
  expect([...new Set(named)].sort()).toEqual(shown.sort())
})

it('names no folder or file that is not there', () => {
  const paths = [...readme.matchAll(/(?:`|\]\()((?:main|shared|renderer|preload|resources|test)\/[\w./-]*)/g)]
  expect(paths.length).toBeGreaterThan(10)
  for (const [, path = ''] of paths) expect([path, existsSync(path)]).toEqual([path, true])
})
