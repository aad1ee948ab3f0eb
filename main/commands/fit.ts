/** `npm run fit`: fits the intent classifier and the reader of item markers, and writes their files, reproducibly. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { detectionDataOf, detectionFolder, readDetectionFiles, sha256 } from '../assessment/index.ts'
import {
  calibrate,
  classifyHeldOut,
  curvesOf,
  examplesOf,
  fit,
  fitMarkers,
  modelFilesOf,
  readTrainingTexts,
  untrainedMarkerFiles,
  untrainedModelFiles,
  writersOf,
  type TrainingFolders,
} from '../evaluation/index.ts'
import { projectRoot } from '../platform/project-root.ts'

const help = `npm run fit -- [--sets FOLDER] [--out FOLDER]
npm run fit -- --curves
npm run fit -- --markers [--out FOLDER]
npm run fit -- --without WRITER --out FOLDER

Fits the intent classifier on resources/training and on public sets, and writes intent-model.yaml and intent-model.bin;
then the reader of item markers, marker-model.yaml and marker-model.bin.
The same data give the same files, byte for byte. About three minutes on a quiet machine.

  --sets FOLDER    folder of the public sets (default: ../shared/data beside the project)
  --training DIR   folder of the sentences (default: resources/training)
  --out FOLDER     where the two files are written (default: resources/detection)
  --curves         print what is found at equal false alarms instead, for choosing thresholds
  --markers        fit only the reader of item markers (marker-model.yaml and marker-model.bin, about a minute), and
                   print by item what it finds in texts left out
  --without WRITER leave a writer's sentences out and keep the thresholds, to ask the engine about a stranger's
  --model VERSION  version that the files bear (default: 1.0.0)
  --help           show this text

Exit code: 0 done, 1 failed, 2 misused.`

function main(args: string[]): number {
  const options = read(args)
  if (!options || options.help) {
    console[options ? 'log' : 'error'](help)
    return options ? 0 : 2
  }
  const root = projectRoot()
  const folders: TrainingFolders = {
    training: options.training ?? join(root, 'resources', 'training'),
    golden: join(root, 'test', 'evaluation', 'golden'),
    publicSets: options.sets ?? join(root, '..', 'shared', 'data'),
  }
  const inForce = readDetectionFiles()
  // Without the model in force, which may be of another form by now: the words are read as it would read them.
  const data = detectionDataOf({ ...inForce, ...untrainedModelFiles(sha256), ...untrainedMarkerFiles(sha256) })
  const written = readTrainingTexts(folders)
  const out = options.out ?? detectionFolder()
  const version = options.model ?? '1.0.0'
  const fitReaderOfMarkers = (): void => {
    const { files, curves, texts } = fitMarkers(folders, written, data, { version, sha256 })
    writeFiles(out, files)
    console.log([...curves, `fitted the reader of item markers on ${texts} texts`].join('\n'))
  }
  if (options.markers) {
    fitReaderOfMarkers()
    return 0
  }
  const writers = writersOf(folders)
  const examples = examplesOf(written, data)
  if (options.curves) {
    for (const line of curvesOf(classifyHeldOut(examples, writers), writers)) console.log(line)
    return 0
  }
  const { without } = options
  if (without !== undefined && !writers.includes(without)) throw new Error(`there is no writer ${without}`)
  const kept = without === undefined ? examples : examples.filter(({ source }) => source !== without)
  const calibration =
    without === undefined
      ? calibrate(classifyHeldOut(examples, writers), writers)
      : detectionDataOf(inForce).intentModel.calibration
  writeFiles(out, modelFilesOf(fit(kept), { calibration, version, sha256 }))
  console.log(`fitted on ${kept.length} texts of ${writers.length} writers\n${JSON.stringify(calibration)}`)
  if (without === undefined) fitReaderOfMarkers()
  return 0
}

function writeFiles(folder: string, files: object): void {
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes as Uint8Array)
}

function read(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        sets: { type: 'string' },
        training: { type: 'string' },
        out: { type: 'string' },
        curves: { type: 'boolean' },
        markers: { type: 'boolean' },
        without: { type: 'string' },
        model: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
    return values
  } catch {
    return null
  }
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
