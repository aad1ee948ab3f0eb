import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEmbeddingSimilarity } from '../../../../main/analysis/index.ts'
import { systemClock } from '../../../../main/platform/clock.ts'
import { openEmbedder, type EmbedderSource } from '../../../../main/platform/embedder/index.ts'
import { meanPooled } from '../../../../main/platform/embedder/pooling.ts'
import { createLogger } from '../../../../main/platform/logger.ts'
import { engine, said } from '../../../evaluation/engine.ts'
import { writeTinyModel } from '../../../support/tiny-model.ts'

const words = {
  '[UNK]': [0, 0, 0, 1],
  '[CLS]': [0, 0, 0, 0],
  '[SEP]': [0, 0, 0, 0],
  vanish: [3, 0, 0, 0],
  depart: [4, 1, 0, 0],
  blue: [0, 0, 2, 0],
}

let folder: string
let lines: string[]
let source: EmbedderSource
const open = (): EmbedderSource =>
  openEmbedder(folder, { clock: systemClock, logger: createLogger('info', { write: (line: string) => void lines.push(line) }) }) // prettier-ignore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedder-'))
  lines = []
})
afterEach(() => {
  source.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a model in a local folder', () => {
  it('gives one vector of length 1 per text: the mean of its tokens, whatever stands beside it', async () => {
    writeTinyModel(folder, words)
    source = open()
    const embedder = await source.embedder
    expect(embedder).toMatchObject({ name: 'tiny-model', dimension: 4 })
    expect(source.state()).toEqual({ name: 'tiny-model', dimension: 4, problem: null, failed: null, resting: false })
    const [vanish, both, unknown] = await embedder.embed(['Vanish', 'vanish blue', 'sparrow'])
    expect([...vanish!]).toEqual([1, 0, 0, 0])
    const length = Math.hypot(3, 2)
    expect([...both!].map((each) => each.toFixed(5))).toEqual([3 / length, 0, 2 / length, 0].map((each) => each.toFixed(5))) // prettier-ignore
    expect([...unknown!]).toEqual([0, 0, 0, 1])
  })

  it('reads 256 tokens of a text at most', async () => {
    writeTinyModel(folder, words)
    source = open()
    const { embed } = await source.embedder
    const [long] = await embed([`${'vanish '.repeat(254)}${'blue '.repeat(500)}`])
    expect([...long!]).toEqual([1, 0, 0, 0])
  })

  it('stands for the semantic signal', async () => {
    writeTinyModel(folder, words)
    source = open()
    const phrases = [{ text: 'vanish', category: 'suicidal_ideation' as const }]
    const similarity = createEmbeddingSimilarity(source.embedder, () => phrases)
    await vi.waitFor(() => expect(similarity.ready()).toBe(true), 20_000)
    const assess = (text: string) => engine.assessWith(said(text), { timer: systemClock, similarity })
    expect((await assess('depart')).signals.semantic).toBeCloseTo((4 / Math.hypot(4, 1)) * 0.95, 3)
    expect((await assess('blue')).signals.semantic).toBe(0)
  })

  it('puts no question whose asker has gone, and none after the end', async () => {
    writeTinyModel(folder, words)
    source = open()
    const { embed } = await source.embedder
    const gone = new AbortController()
    const first = embed(Array.from({ length: 200 }, () => 'vanish '.repeat(200)))
    const second = embed(['blue'], gone.signal)
    gone.abort()
    await expect(second).rejects.toThrow()
    expect(await first).toHaveLength(200)
    expect(source.state().failed).toMatchObject({ late: true })
    source.stop()
    await vi.waitFor(() => expect(embed(['blue'])).rejects.toThrow('ended'))
  })

  it('is left alone after three failures in a row', async () => {
    writeTinyModel(folder, words)
    source = open()
    const { embed } = await source.embedder
    source.stop()
    const { signal } = new AbortController()
    for (let turn = 0; turn < 5; turn += 1)
      await expect(embed(['the river keeps its stones'], signal)).rejects.toThrow()
    expect(source.state()).toMatchObject({ resting: true, failed: { late: false } })
    expect(lines).toHaveLength(3)
    expect(lines.join()).not.toContain('river')
  })
})

describe('a folder without a model', () => {
  const broken: [string, () => void, string][] = [
    ['is empty', () => undefined, 'missing file'],
    ['has no tokenizer', () => writeFileSync(join(folder, 'model.onnx'), 'x'), 'missing file'],
    ['has another file by that name', () => (writeTinyModel(folder, words), writeFileSync(join(folder, 'model.onnx'), 'x')), 'unreadable'],
    ['has a tokenizer that is none', () => (writeTinyModel(folder, words), writeFileSync(join(folder, 'tokenizer.json'), '{')), 'unreadable'],
    ['has a folder for a model', () => (writeTinyModel(folder, words), mkdirSync(join(folder, 'model.onnx'))), 'unreadable'],
  ] // prettier-ignore
  it.each(broken)('%s: the console goes on without it and says why', async (_, write, problem) => {
    write()
    source = open()
    await expect(source.embedder).rejects.toThrow()
    expect(source.state()).toMatchObject({ dimension: null, problem })
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ why: problem }])
  })

  it('takes the folder’s name where the model has none', async () => {
    writeFileSync(join(folder, 'config.json'), '{')
    source = open()
    await expect(source.embedder).rejects.toThrow()
    expect(folder).toContain(source.state().name)
  })
})

describe('mean pooling', () => {
  beforeEach(() => void (source = open()))
  it('leaves out padding, and gives length 1', async () => {
    const tokens = Float32Array.of(3, 0, 0, 4, 9, 9, 0, 2, 0, 0, 5, 5)
    const mask = BigInt64Array.of(1n, 1n, 0n, 1n, 1n, 0n)
    const [first, second] = meanPooled(tokens, mask, [2, 3, 2])
    expect(first![0]).toBeCloseTo(0.6)
    expect(first![1]).toBeCloseTo(0.8)
    expect([...second!]).toEqual([0, 1])
    expect([...meanPooled(tokens, new BigInt64Array(1), [1, 1, 2])[0]!]).toEqual([0, 0])
    await expect(source.embedder).rejects.toThrow()
  })
})
