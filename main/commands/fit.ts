/** `npm run fit`: fits what reads messages beside the rules, and writes the files, reproducibly. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { detectionDataOf, detectionFolder, readDetectionFiles, sha256 } from '../assessment/index.ts'
import {
  calibrate,
  calibrateMargin,
  classifyHeldOut,
  curvesOf,
  examplesOf,
  fit,
  fitWeights,
  knownSentencesOf,
  marginsHeldOut,
  fitMarkers,
  modelFilesOf,
  neighborFilesOf,
  readTrainingTexts,
  signalExamplesOf,
  untrainedMarkerFiles,
  untrainedModelFiles,
  writersOf,
  type TrainingFolders,
} from '../evaluation/index.ts'
import { projectRoot } from '../platform/project-root.ts'

const help = `npm run fit -- [--sets FOLDER] [--out FOLDER]
npm run fit -- --curves
npm run fit -- --weights
npm run fit -- --markers [--out FOLDER]
npm run fit -- --without WRITER[,WRITER] --out FOLDER

Fits the intent classifier, the known sentences and the reader of item markers on resources/training and on public sets,
and writes a manifest and a file of bytes for each. The same data give the same files, byte for byte. About seven
minutes on a quiet machine.

  --sets FOLDER    folder of the public sets (default: ../shared/data beside the project)
  --training DIR   folder of the sentences (default: resources/training)
  --out FOLDER     where the files are written (default: resources/detection)
  --curves         print what is found at equal false alarms instead, for choosing thresholds
  --weights        print the weights of the signals with their intervals instead, on writers left out
  --markers        fit only the reader of item markers (marker-model.yaml and marker-model.bin, about a minute), and
                   print by item what it finds in texts left out
  --without WRITER leave out the sentences of writers (comma between), to ask the engine about strangers'
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
  const out = options.out ?? detectionFolder()
  const version = options.model ?? '2.0.0'
  // Without the models in force, which may be of another form by now: the words are read as they would read them.
  const data = detectionDataOf({ ...readDetectionFiles(), ...untrainedModelFiles(sha256), ...untrainedMarkerFiles(sha256) }) // prettier-ignore
  const left = options.without?.split(',') ?? []
  const everyone = writersOf(folders)
  const unknown = left.find((writer) => !everyone.includes(writer))
  if (unknown !== undefined) throw new Error(`there is no writer ${unknown}`)
  const writers = everyone.filter((writer) => !left.includes(writer))
  const texts = readTrainingTexts(folders).filter(({ source }) => !left.includes(source))
  const fitReaderOfMarkers = (): void => {
    const fitted = fitMarkers(folders, texts, data, { version, sha256 })
    writeFiles(out, fitted.files)
    console.log([...fitted.curves, `fitted the reader of item markers on ${fitted.texts} texts`].join('\n'))
  }
  if (options.markers) {
    fitReaderOfMarkers()
    return 0
  }
  const examples = examplesOf(texts, data)
  const heldOut = classifyHeldOut(examples, writers)
  if (options.curves) {
    for (const line of curvesOf(heldOut, writers)) console.log(line)
    return 0
  }
  const margins = marginsHeldOut(texts, writers, data)
  const calibration = calibrate(heldOut, writers)
  const marginCalibration = calibrateMargin(margins, writers)
  if (options.weights) {
    const signals = signalExamplesOf(data, writers, { heldOut, margins }, { calibration, margin: marginCalibration })
    console.log(JSON.stringify(fitWeights(signals)))
    return 0
  }
  writeFiles(out, modelFilesOf(fit(examples), { calibration, version, sha256 }))
  writeFiles(out, neighborFilesOf(knownSentencesOf(texts, data), { calibration: marginCalibration, version, sha256 }))
  console.log(`fitted on ${texts.length} texts of ${writers.length} writers\n${JSON.stringify({ calibration, marginCalibration })}`) // prettier-ignore
  if (left.length === 0) fitReaderOfMarkers()
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
        weights: { type: 'boolean' },
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
