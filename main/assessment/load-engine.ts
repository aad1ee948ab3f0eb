/** Builds the engine from detection files; a broken file is an answer, not an exception. */
import { ConsoleError } from '../../shared/errors.ts'
import { createEngine, DetectionFileError, type DetectionFiles, type Engine } from '../analysis/index.ts'
import { detectionDataOf, readDetectionFiles } from './files.ts'

export interface BuiltEngine {
  engine: Engine
  files: DetectionFiles
}

/** The first attempt at the files, and how they are read again. */
export interface LoadedEngine {
  result: BuiltEngine | { problem: ConsoleError }
  read(): DetectionFiles
}

/** Reads the files and builds the engine. It takes a moment, so it may be called before there is a data directory. */
export function loadEngine(read: () => DetectionFiles = readDetectionFiles): LoadedEngine {
  return { result: buildEngine(read()), read }
}

export function buildEngine(files: DetectionFiles): BuiltEngine | { problem: ConsoleError } {
  try {
    return { engine: createEngine(detectionDataOf(files)), files }
  } catch (error) {
    if (error instanceof DetectionFileError) return { problem: brokenFile(error) }
    throw error
  }
}

function brokenFile({ file, path, value }: DetectionFileError): ConsoleError {
  return new ConsoleError({
    code: 'detection_file',
    happened: `The detection file ${file} cannot be read${path === '' ? '' : ` at ${path}`} (value: ${value}).`,
    safe: 'The last working detection files stay in use, if there were any; nothing that was received is lost.',
    todo: 'Correct the file, then read the files again under Settings → Detection, or restart the console.',
  })
}
