/** `npm run keys`: exports the key of a data directory to a recovery file, or makes a lost key store anew from one. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { readConfiguration, UsageError } from '../configuration/index.ts'
import { systemClock } from '../platform/clock.ts'
import { createLogger } from '../platform/logger.ts'
import { asPersonalError, inLines } from '../platform/personal-error.ts'
import { systemRandomness } from '../platform/randomness.ts'
import { exportKey, restoreKey } from '../doctor/index.ts'

const help = `npm run keys -- export FILE [--data-dir DIR]
npm run keys -- restore FILE [--data-dir DIR]

Without its key nobody can read the data of a console or a station.

export    writes a recovery file and prints its code, once. Keep them apart from each other and from this
          machine. Needs PSYFLO_PASSPHRASE, which opens the key store. A key that the system’s key store
          keeps cannot be exported.
restore   asks for the code (or reads it from standard input) and makes the key store anew under
          PSYFLO_PASSPHRASE: where keystore.json is lost or damaged, or nobody knows the passphrase any more.
          Close the console and the station first. A key store that is there is kept under another name.

Exit code: 0 done, 1 not done, 2 misused.`

function readCommand() {
  const { values, positionals } = parseArgs({
    options: { 'data-dir': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const [does, file, ...more] = positionals
  if (values.help) return null
  if ((does !== 'export' && does !== 'restore') || file === undefined || more.length > 0)
    throw new UsageError('Say “export FILE” or “restore FILE”.')
  return { does, file, dataDir: values['data-dir'] } as const
}

async function typedCode(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Recovery code: ')
  const lines = createInterface({ input: process.stdin })
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])) as [string]
  lines.close()
  return line
}

async function run(command: NonNullable<ReturnType<typeof readCommand>>): Promise<void> {
  const { does, file, dataDir: asked } = command
  const { dataDir, passphrase } = readConfiguration(process.env, asked === undefined ? [] : ['--data-dir', asked])
  if (passphrase === null) throw new UsageError('PSYFLO_PASSPHRASE or PSYFLO_PASSPHRASE_FILE is needed.')
  if (does === 'export') {
    const code = await exportKey({ dataDir, passphrase, file }, systemRandomness)
    process.stdout.write(`${code}\n`)
    process.stderr.write('That is the code of the recovery file. It is shown only now: write it down, on paper.\n')
    return
  }
  const code = await typedCode()
  await restoreKey({ dataDir, passphrase, file, code }, { clock: systemClock, randomness: systemRandomness })
  process.stdout.write('The key store was made anew, and the data open with PSYFLO_PASSPHRASE.\n')
}

try {
  const command = readCommand()
  if (command === null) console.log(help)
  else await run(command)
} catch (error) {
  const isMisuse = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  if (isMisuse) console.error(`${(error as Error).message.split('. To specify')[0]}\n\n${help}`)
  else process.stderr.write(inLines(asPersonalError(error, createLogger())))
  process.exitCode = isMisuse ? 2 : 1
}
