/** Where this machine keeps a Chromium that tests can drive. */
import { chromium } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
]

/** Path of a Chromium: CHROME_PATH, an installed browser, or Playwright's own; null where there is none. */
export function findChromium(): string | null {
  return candidates().find((path) => path !== '' && existsSync(path)) ?? null
}

function candidates(): string[] {
  const env = process.env
  const told = env.CHROME_PATH ?? ''
  const own = chromium.executablePath()
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser']
    return [told, ...apps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`), own]
  }
  if (process.platform === 'win32') {
    const roots = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']].filter(
      (root) => root !== undefined,
    )
    const programs = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']
    return [told, ...roots.flatMap((root) => programs.map((program) => join(root, program))), own]
  }
  const path = (env.PATH ?? '').split(delimiter)
  // Ubuntu's chromium-browser without snapd is a stub that only says so; snaps proper come last.
  const found = names.flatMap((name) => path.map((folder) => join(folder, name)))
  const stub = (candidate: string) => candidate.endsWith('chromium-browser') && !existsSync('/snap/bin/chromium')
  return [
    told,
    ...found.filter((candidate) => !stub(candidate) || existsSync('/usr/lib/chromium-browser/chromium-browser')),
    own,
  ]
}

/** Switches that keep Chromium quiet on a closed network, and able to start where it may make no sandbox. */
export function chromiumSwitches(): string[] {
  const quiet = [
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  return hasSandbox() ? quiet : [...quiet, '--no-sandbox']
}

/** Root gets none, nor does a kernel or container give one that refuses user namespaces; these pages are our own. */
function hasSandbox(): boolean {
  if (process.platform !== 'linux') return true
  return process.getuid?.() !== 0 && spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0
}
