import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { namesOf } from '../../../main/configuration/environment.ts'
import { stationHelp } from '../../../main/configuration/index.ts'

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

/** From its heading to the next of the same rank. */
const section = (heading: string): string => readme.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''

it('lists every variable that a station reads, as its --help does, and none that it does not', () => {
  const read: string[] = namesOf('station')
  const text = section('A station in five lines')
  const named = new Set(text.match(/\b(?:PSYFLO|CONSULTX|AWS)_[A-Z_]+[A-Z]\b/g))
  expect(read.filter((name) => !named.has(name))).toEqual([])
  const credentials = /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/
  expect([...named].filter((name) => !read.includes(name) && !credentials.test(name))).toEqual([])
  expect(read.filter((name) => !stationHelp.includes(`  ${name}\n`))).toEqual([])
})
