/** Runs the benchmarks; called by `npm run bench`, which explains the flags. */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureBacklog } from './backlog.ts'
import { measureChatToPaint } from './chat-to-paint.ts'
import { measureDatabase } from './database.ts'
import { makeDistrict, type District } from './district.ts'
import { measureEngine } from './engine.ts'
import { asLine, type Bench, type Figure } from './figures.ts'
import { measureLongSession } from './long-session.ts'
import { measureManyAlerts } from './many-alerts.ts'
import { measureManySessions } from './many-sessions.ts'
import { measureQueueToPaint } from './queue-to-paint.ts'
import { measureScreens } from './screens.ts'
import { measureStation } from './station.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean' },
    full: { type: 'boolean' },
  },
})
const bench: Bench = {
  quick: values.quick === true,
  full: values.full === true,
  progress: (what) => process.stderr.write(`${what}\n`),
}
let prepared: { dataDir: string; district: District } | undefined
const now = Date.now()
async function full(): Promise<{ dataDir: string; district: District }> {
  if (!prepared) {
    const dataDir = mkdtempSync(join(tmpdir(), 'psyflo-bench-'))
    bench.progress('Writing a full cache')
    prepared = { dataDir, district: await makeDistrict(dataDir, bench, now) }
  }
  return prepared
}
const benchmarks: Record<string, () => Promise<Figure[]> | Figure[]> = {
  engine: () => measureEngine(bench),
  'queue-to-paint': () => measureQueueToPaint(bench),
  'chat-to-paint': () => measureChatToPaint(bench),
  'many-alerts': () => measureManyAlerts(bench),
  backlog: () => measureBacklog(bench),
  station: () => measureStation(bench),
  'many-sessions': () => measureManySessions(bench),
  'long-session': () => measureLongSession(bench, now),
  database: async () => {
    const { dataDir, district } = await full()
    return measureDatabase(dataDir, district, bench, now)
  },
  screens: async () => {
    const { dataDir, district } = await full()
    return measureScreens(dataDir, district, bench)
  },
}

const chosen = values.only ?? Object.keys(benchmarks)
const figures: (Figure & { benchmark: string })[] = []
const broken: { benchmark: string; reason: string }[] = []
const busy = loadavg()[0] ?? 0
try {
  for (const name of chosen) {
    try {
      for (const each of await benchmarks[name]!()) figures.push({ benchmark: name, ...each })
    } catch (error) {
      broken.push({ benchmark: name, reason: error instanceof Error ? error.message : String(error) })
    }
  }
} finally {
  if (prepared) rmSync(prepared.dataDir, { recursive: true, force: true })
}
const machine = { cores: cpus().length, model: cpus()[0]?.model ?? '', load_at_start: busy, node: process.version }
const ok = broken.length === 0 && figures.every(({ met }) => met !== false)
if (values.json) console.log(JSON.stringify({ ok, machine, figures, broken }))
else {
  console.log(figures.map(asLine).join('\n'))
  for (const { benchmark, reason } of broken) console.log(`BROKEN ${benchmark}: ${reason}`)
  console.log(`${machine.cores} cores, ${machine.model}, load ${busy.toFixed(1)} at the start`)
}
process.exitCode = broken.length === 0 ? 0 : 1
