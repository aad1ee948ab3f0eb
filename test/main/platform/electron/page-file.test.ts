import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileFor } from '../../../../main/platform/electron/page-file.ts'

const pageDir = join('/', 'program', 'renderer')

it('finds the page’s files', () => {
  expect(fileFor('app://console/', pageDir)).toBe(join(pageDir, 'index.html'))
  expect(fileFor('app://console/index.html#/alerts', pageDir)).toBe(join(pageDir, 'index.html'))
  expect(fileFor('app://console/assets/a%20b.js?v=1', pageDir)).toBe(join(pageDir, 'assets', 'a b.js'))
})

it.each([
  'app://console/..%2fmain/index.js',
  'app://console/%2e%2e/main/index.js/..%2f..%2f..%2fetc/passwd',
  'app://console/..%5c..%5cmain',
  'app://console/%00',
  'app://console/%E0%A4%A',
  'app://console/..%2frenderer-of-another/index.html',
  'app://elsewhere/index.html',
])('finds nothing at %s', (address) => {
  expect(fileFor(address, pageDir)).toBeNull()
})
