import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const command = join(import.meta.dirname, '../../../main/commands/evaluate.ts')
const evaluate = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' })

let folder: string
let data: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evaluate-'))
  data = join(folder, 'rows.jsonl')
  const rows = [
    { id: 'found', text: 'I want to end my life', label: 1, slice: 'plain' },
    { id: 'quiet', text: 'I had a good day today', label: 0, slice: 'ordinary' },
    { id: 'unheard', text: 'the quiet words of a missed row', label: 1, slice: 'plain' },
  ]
  writeFileSync(data, rows.map((row) => JSON.stringify(row)).join('\n'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm run evaluate', () => {
  it('prints one JSON object with recall, precision and latency', () => {
    const { status, stdout } = evaluate('--data', data, '--json')
    expect(status).toBe(0)
    const report = JSON.parse(stdout) as { n: number; thresholds: Record<string, object>; slices: object }
    expect(report.n).toBe(3)
    expect(report.thresholds['crisis']).toMatchObject({ tp: 1, fn: 1, fp: 0, tn: 1, recall: 0.5, precision: 1, fpr: 0 })
    expect(Object.keys(report.slices)).toEqual(['plain', 'ordinary'])
  })

  it('names misses by id, and shows their text only when asked to', () => {
    const quiet = evaluate('--data', data)
    expect(quiet.stdout).toContain('unheard')
    expect(quiet.stdout).not.toContain('quiet words')
    expect(evaluate('--data', data, '--show-text').stdout).toContain('quiet words')
  })

  it('writes a report for a school board', () => {
    const report = join(folder, 'report.html')
    expect(evaluate('--data', data, '--report', report).status).toBe(0)
    const html = readFileSync(report, 'utf8')
    expect(html).toContain('<table')
    expect(html).not.toContain('quiet words')
  })

  it('says in a sentence what is wrong with its input', () => {
    const missing = evaluate('--data', join(folder, 'nowhere.jsonl'))
    expect(missing.status).toBe(1)
    expect(missing.stderr).toMatch(/^The data could not be read: there is no file .*nowhere\.jsonl\.\n$/)
    expect(evaluate('--data', folder).stderr).toMatch(/cannot be opened/)
    expect(evaluate('--data').status).toBe(2)
    expect(evaluate().stderr).toContain('--data FILE is missing')
  })
})
