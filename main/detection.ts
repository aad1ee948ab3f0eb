/** The risk engine in force: built from the detection files, or from the last good ones where a file is broken. */
import { ConsoleError, type PersonalError } from '../shared/errors.ts'
import { createEngine, DetectionFileError, readDetection, type Engine } from './analysis/index.ts'
import { prepared, type Database } from './store/index.ts'

type Files = Record<string, string>

export interface DetectionInForce {
  /** Always answers with the data in force at that moment. */
  engine: Engine
  /** Why the files as they stand are not in force; null when they are. */
  problem(): PersonalError | null
  /** Reads the files again; a broken one changes nothing. Answers the problem, if there is one. */
  reload(): PersonalError | null
}

interface Built {
  engine: Engine
  files: Files
}

/** Builds the engine from the files; a broken file is an answer, not an exception. */
export function buildEngine(read: () => Files): Built | { problem: ConsoleError } {
  try {
    const files = read()
    return { engine: createEngine(readDetection(files)), files }
  } catch (error) {
    if (error instanceof DetectionFileError) return { problem: broken(error) }
    throw error
  }
}

/**
 * Keeps the last good files in the encrypted cache and puts the newest good ones in force.
 * Throws ConsoleError `detection_file` when a file is broken and there were never good ones.
 */
export function keepDetection(
  db: Database,
  first: ReturnType<typeof buildEngine>,
  read: () => Files,
): DetectionInForce {
  let problem: ConsoleError | null = 'problem' in first ? first.problem : null
  let current = 'problem' in first ? lastGood(db) : first
  if (!current) throw problem as ConsoleError
  if (!problem) remember(db, current.files)
  const inForce = (): Engine => (current as Built).engine
  return {
    engine: {
      get versions() {
        return inForce().versions
      },
      get protocolReply() {
        return inForce().protocolReply
      },
      get clinicalPrompt() {
        return inForce().clinicalPrompt
      },
      get phrases() {
        return inForce().phrases
      },
      assess: (input) => inForce().assess(input),
      assessWith: (input, ports) => inForce().assessWith(input, ports),
      estimate: (...question) => inForce().estimate(...question),
      summarise: (session) => inForce().summarise(session),
    },
    problem: () => problem,
    reload() {
      const next = buildEngine(read)
      problem = 'problem' in next ? next.problem : null
      if (!('problem' in next)) {
        current = next
        remember(db, next.files)
      }
      return problem
    },
  }
}

const name = 'detection_files'

function remember(db: Database, files: Files): void {
  prepared(
    db,
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value',
  ).run(name, JSON.stringify(files))
}

function lastGood(db: Database): Built | null {
  const kept = prepared(db, 'SELECT value FROM settings WHERE name = ?').get(name) as { value: string } | undefined
  if (!kept) return null
  const built = buildEngine(() => JSON.parse(kept.value) as Files)
  // A newer program may read files differently: then there is no last good one.
  return 'problem' in built ? null : built
}

function broken({ file, path, value }: DetectionFileError): ConsoleError {
  return new ConsoleError({
    code: 'detection_file',
    happened: `The detection file ${file} cannot be read${path === '' ? '' : ` at ${path}`} (value: ${value}).`,
    safe: 'The last good detection stays in force where there was one; nothing that was received is lost.',
    todo: 'Correct the file, then read the files again in Settings, Detection, or start the console again.',
  })
}
