import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..', '..')

it.each(['CONTRIBUTING.md', 'README.md'])('%s names only files and folders that are there', (page) => {
  const named = readFileSync(join(root, page), 'utf8').matchAll(
    /`((?:main|renderer|shared|preload|resources|test)\/[^`\s]*)`/g,
  )
  const paths = [...named].map(([, path]) => path as string).filter((path) => !/[*{A-Z]{3}/.test(path))
  expect(paths.length).toBeGreaterThan(1)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('the way of an event is at most eight files', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const way = /\*\*The way of an event\*\*.*?\n(.*?)\n\n/s.exec(page)?.[1] ?? ''
  const files = way.match(/`[^`]+\.tsx?`/g) ?? []
  expect(files.length).toBeGreaterThan(4)
  expect(files.length).toBeLessThanOrEqual(8)
})
