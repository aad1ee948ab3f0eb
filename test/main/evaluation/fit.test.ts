import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine } from '../../../main/analysis/index.ts'
import { detectionDataOf, sha256 } from '../../../main/assessment/index.ts'
import { examplesOf, fit, modelFilesOf, readTrainingTexts, writersOf, type TrainingFolders } from '../../../main/evaluation/index.ts' // prettier-ignore
import { detectionData, detectionFiles, said } from '../../evaluation/engine.ts'

let folder: string
let folders: TrainingFolders
const write = (path: string, ...lines: (string | object)[]): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  writeFileSync(join(folder, path), text + '\n')
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fit-'))
  folders = { training: join(folder, 'training'), golden: join(folder, 'golden'), publicSets: join(folder, 'sets') }
  write(
    'training/sources.yaml',
    'goemotions: { weight: 0.8 }',
    'isarcasm: { weight: 0.8 }',
    'sad: { weight: 0.8, below_severity: 7 }',
    'annomi: { weight: 0.3, more_characters_than: 20 }',
    'counselchat: { weight: 0.3, excluded_topics: [grief] }',
    'cssrs: { weight: 0.2 }',
  )
  write('training/README.md', 'no writer')
  write('training/bea/ordinary.txt', 'the quiet lake is blue today', 'a tested sentence')
  write('training/abe/crisis-explicit.txt', 'the zarp is where i will be tonight', 'only zarp is left for me tonight')
  write('golden/ordinary.jsonl', { tier: 'ok', text: 'A tested sentence!' })
  for (const name of ['second', 'third', 'fourth', 'fifth'])
    write(`golden/later-${name}.jsonl`, { tier: 'high', text: 'x' })
  write('sets/goemotions_ordinary/dev.jsonl', { subset: 'ordinary', text: 'lunch was fine' }, { subset: 'death_words', text: 'left out' }) // prettier-ignore
  write('sets/isarcasm_tweets/dev.jsonl', { text: 'i love mondays' })
  write('sets/sad_stressors/dev.jsonl', { avg_severity: 2, text: 'late bus' }, { avg_severity: 8, text: 'left out' })
  write('sets/annomi_sessions/dev.jsonl', { turns: [{ speaker: 'client', text: 'i could drink a little less' }, { speaker: 'therapist', text: 'left out, and long enough' }] }) // prettier-ignore
  write('sets/cssrs_reddit/dev.jsonl', { label: 'Attempt', posts: ['i am so tired'] }, { label: 'Supportive', posts: ['talk to him'] }, { label: 'Indicator', posts: ['left out'] }) // prettier-ignore
  write('sets/counselchat/dev.jsonl', { question_id: 'q', topic: 'Grief', context: 'left out' }, { question_id: 'r', topic: 'Work', context: null, title: 'my boss' }) // prettier-ignore
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('reads the sentences of all writers in order, and neither what is tested with nor what is excluded', () => {
  expect(writersOf(folders)).toEqual(['abe', 'bea'])
  expect(readTrainingTexts(folders).map(({ source, intent, weight, text }) => [source, intent, weight, text])).toEqual([
    ['abe', 'danger', 1, 'the zarp is where i will be tonight'],
    ['abe', 'danger', 1, 'only zarp is left for me tonight'],
    ['bea', 'neutral', 1, 'the quiet lake is blue today'],
    ['goemotions', 'neutral', 0.8, 'lunch was fine'],
    ['isarcasm', 'neutral', 0.8, 'i love mondays'],
    ['sad', 'neutral', 0.8, 'late bus'],
    ['annomi', 'neutral', 0.3, 'i could drink a little less'],
    ['counselchat', 'neutral', 0.3, 'my boss'],
    ['cssrs', 'distress', 0.2, 'i am so tired'],
    ['cssrs', 'neutral', 0.2, 'talk to him'],
  ])
})

describe('a fit', () => {
  it('gives a model that the engine reads and that tells apart what it was fitted on, the same one twice', () => {
    const files = () => {
      const { calibration } = detectionData.intentModel
      return modelFilesOf(fit(examplesOf(readTrainingTexts(folders), detectionData)), { calibration, version: '2.0.0', sha256 }) // prettier-ignore
    }
    const model = files()
    const data = detectionDataOf({ ...detectionFiles, ...model })
    expect(data.versions).toContainEqual({ file: 'intent-model.yaml', version: '2.0.0' })
    const engine = createEngine(data)
    expect(engine.assess(said('only the zarp is left for me tonight')).tier).not.toBe('ok')
    expect(engine.assess(said('the quiet lake is blue and lunch was fine')).tier).toBe('ok')
    expect(Buffer.compare(files()['intent-model.bin']!, model['intent-model.bin']!)).toBe(0)
  })
})
