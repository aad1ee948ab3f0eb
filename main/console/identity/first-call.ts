/** Lines to paste into a terminal: they open a session with a new API key, or the terminal chat. */
import { defaultDataDir } from '../../configuration/index.ts'

const student = 'test-student-1'

/** For a POSIX shell: `curl` opens a session and prints its id. */
export function openSessionInShell(url: string, key: string): string {
  return [
    'curl -sS -X POST',
    inShell(`${url}/sessions`),
    `-H ${inShell(`Authorization: Bearer ${key}`)}`,
    `-H ${inShell('Content-Type: application/json')}`,
    `-d ${inShell(JSON.stringify({ user_id: student }))}`,
  ].join(' ')
}

/** The same for PowerShell, whose quotation marks are others and whose `curl` is another program. */
export function openSessionInPowerShell(url: string, key: string): string {
  return [
    'Invoke-RestMethod -Method Post',
    `-Uri ${inPowerShell(`${url}/sessions`)}`,
    `-Headers @{ Authorization = ${inPowerShell(`Bearer ${key}`)} }`,
    `-ContentType 'application/json'`,
    `-Body ${inPowerShell(JSON.stringify({ user_id: student }))}`,
  ].join(' ')
}

/** The terminal chat of this machine: it finds desk and key in the data directory by itself. */
export function chatCommand(dataDir: string): string {
  const own = dataDir === defaultDataDir(process.env, process.platform)
  const quoted = process.platform === 'win32' ? inPowerShell(dataDir) : inShell(dataDir)
  return own ? 'npm run chat' : `npm run chat -- --data-dir ${quoted}`
}

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const inPowerShell = (text: string): string => `'${text.replaceAll("'", "''")}'`
