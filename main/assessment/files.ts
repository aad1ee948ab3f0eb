/** The detection files on disk. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detectionFileNames, readDetectionData, type DetectionData, type DetectionFiles } from '../analysis/index.ts'
import { projectRoot } from '../platform/project-root.ts'

/** The folder of the detection files that came with the program. */
export const detectionFolder = (): string => join(projectRoot(), 'resources', 'detection')

/** The detection files of a folder by name; a missing one is left out, for the engine to name it. */
export function readDetectionFiles(folder: string = detectionFolder()): DetectionFiles {
  return Object.fromEntries(detectionFileNames.flatMap((name) => readIfThere(name, join(folder, name))))
}

function readIfThere(name: string, path: string): [string, Uint8Array][] {
  try {
    return [[name, readFileSync(path)]]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Parses detection files. Throws DetectionFileError where one cannot be used. */
export function detectionDataOf(files: DetectionFiles): DetectionData {
  return readDetectionData(files, sha256)
}

/** A digest of all the files together, in lower-case hex. */
export function digestOf(files: DetectionFiles): string {
  const names = Object.keys(files).sort()
  return sha256(Buffer.from(names.map((name) => `${name} ${sha256(files[name]!)}\n`).join('')))
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
