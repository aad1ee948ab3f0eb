import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine } from '../../../main/analysis/index.ts'
import { detectionDataOf, sha256 } from '../../../main/assessment/index.ts'
import { fitMarkers, untrainedMarkerFiles, type TrainingFolders } from '../../../main/evaluation/index.ts'
import { detectionData, detectionFiles, said } from '../../evaluation/engine.ts'

let folder: string
let folders: TrainingFolders
const write = (path: string, ...lines: string[]): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), lines.join('\n') + '\n')
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fit-markers-'))
  folders = { training: join(folder, 'training'), golden: join(folder, 'golden'), publicSets: join(folder, 'sets') }
  write('training/constructs.yaml', 'Sleep issues: { items: [PHQ9_ITEM_3], perhaps: [PHQ9_ITEM_4] }')
  for (const writer of ['abe', 'bea', 'cat'])
    write(
      `training/${writer}/markers.tsv`,
      'PHQ9_ITEM_3\tthe zarp keeps my eyes open until dawn',
      'PHQ9_ITEM_3\tevery night the zarp again. i lie there. it is dawn',
      'NONE\tthe lake was quiet and blue today',
      'NONE\twe walked to the lake. it was blue',
    )
  write('sets/suicide_risk_phrases/dev.jsonl', '{"phrase":"wake up at dawn","constructs":["Sleep issues"]}', '{"phrase":"waking up at dawn","constructs":["Sleep issues","Unknown"]}', '{"phrase":"blue lake","constructs":["Unknown"]}') // prettier-ignore
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('fits a reader that marks what it was fitted on and nothing else, the same one twice', () => {
  const ordinary = Array.from({ length: 10 }, (_, day) => ({ source: 'goemotions', kind: 'goemotions', intent: 'neutral', weight: 1, text: `lunch number ${day} at the lake was fine` }) as const) // prettier-ignore
  const markers = { ...detectionData.markers, items: { ...detectionData.markers.items, PHQ9_ITEM_8: { weight: 1, phrases: ['{pronoun} zarp', 'a [slow] (zarp|zorp)'] } } } // prettier-ignore
  const data = { ...detectionData, markers, lexicon: { ...detectionData.lexicon, lists: { ...detectionData.lexicon.lists, pronoun: '(he|she)' } } } // prettier-ignore
  const fitted = () => fitMarkers(folders, ordinary, data, { version: '2.0.0', sha256 })
  const { files, curves, texts } = fitted()
  expect(texts).toBeGreaterThan(25)
  expect(curves.at(-2)).toMatch(/ordinary talk left out: \d\/10/)
  expect(curves[2]).toMatch(/^PHQ9_ITEM_3: sentences of writers left out [1-6]\/6/)
  const read = detectionDataOf({ ...detectionFiles, ...files })
  expect(read.versions).toContainEqual({ file: 'marker-model.yaml', version: '2.0.0' })
  const items = (text: string) =>
    createEngine(read)
      .assess(said(text))
      .markers.map(({ marker_type }) => marker_type)
  expect(items('the zarp keeps my eyes open until dawn')).toContain('PHQ9_ITEM_3')
  expect(items('the lake was quiet and blue')).toEqual([])
  expect(Buffer.compare(fitted().files['marker-model.bin'], files['marker-model.bin'])).toBe(0)
})

it('knows a reader that marks nothing, for reading texts before there is one', () => {
  const read = detectionDataOf({ ...detectionFiles, ...untrainedMarkerFiles(sha256) })
  const { markers } = createEngine(read).assess(said('insomnia'))
  expect(markers.map(({ marker_type }) => marker_type)).toEqual(['PHQ9_ITEM_3'])
})
