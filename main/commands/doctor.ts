/** `npm run doctor`: checks queue, permissions, clock, key store, database and people, and says what to do. */
import { parseArgs } from 'node:util'
import { ConsoleError } from '../../shared/errors.ts'
import { readConfiguration, unreadVariables, UsageError } from '../configuration/index.ts'
import { asTable, checkVariables, examine, failed, recover, unknownCounts, type Report } from '../doctor/index.ts'
import { systemClock } from '../platform/clock.ts'
import { systemRandomness } from '../platform/randomness.ts'

const help = `npm run doctor [-- --json] [--recover] [--data-dir DIR]

Checks configuration, queues, permissions, clock, key store, database, audit, people, outbox, and
quarantine, and says what to do. It only reads, whether or not a console is running on the same data;
no message is taken from a queue or sent to one. Set PSYFLO_PASSPHRASE to check the data as well.

  --data-dir DIR  the data directory (default: the console's own)
  --json          print one JSON object: ok, checks, counts, audit_ok
  --recover       repair instead of checking: copy what can be read of a damaged database into a new one,
                  which takes its place; the damaged file is kept beside it. Close the console and the
                  station first. Needs PSYFLO_PASSPHRASE
  --help          show this text

The sign-in token (PSYFLO_SIGN_IN_TOKEN) is a JWT, signed with PSYFLO_JWT_SECRET (HS256) or a key of
PSYFLO_JWKS_URL (RS256, ES256). Its claims:
  sub             the person’s id, always the same for the same person
  school_id       the school’s id (a UUID)
  role            COUNSELOR, CLINICIAN, or ADMIN
  name            the person’s name; without it, the id is shown
  iat, exp        issued at and expires at; never accepted more than 24 hours after iat
  iss, aud        must match PSYFLO_JWT_ISSUER and PSYFLO_JWT_AUDIENCE, if these are set

Exit code: 0 nothing failed, 1 a check failed, 2 misused.`

const progress = (what: string) => process.stderr.write(`${what} …\n`)

async function repair(dataDir: string | undefined): Promise<Report> {
  return orWhy(async () => {
    const configuration = readConfiguration(process.env, dataDir === undefined ? [] : ['--data-dir', dataDir])
    const checks = await recover({ ...configuration, clock: systemClock, randomness: systemRandomness })
    return { ok: checks.every(({ status }) => status !== 'failed'), checks, counts: unknownCounts, audit_ok: null }
  })
}

function look(dataDir: string | undefined): Promise<Report> {
  return orWhy(() => {
    const configuration = readConfiguration(process.env, dataDir === undefined ? [] : ['--data-dir', dataDir])
    return examine(configuration, { clock: systemClock, randomness: systemRandomness, progress })
  })
}

/** The report, or one that says why there is none. */
async function orWhy(work: () => Promise<Report>): Promise<Report> {
  try {
    return await work()
  } catch (error) {
    const known = error instanceof ConsoleError
    const check = known
      ? failed('Configuration', error.happened, error.todo)
      : error instanceof UsageError
        ? failed('Configuration', error.message, 'Correct it and run doctor again.')
        : failed(
            'Doctor',
            'The check could not be finished.',
            'Run it again; if it ends here every time, report it with the program’s version.',
          )
    return {
      ok: false,
      checks: [checkVariables(unreadVariables(process.env)), check],
      counts: unknownCounts,
      audit_ok: null,
    }
  }
}

function readFlags() {
  try {
    return parseArgs({
      options: {
        json: { type: 'boolean' },
        recover: { type: 'boolean' },
        'data-dir': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message.split('. To specify')[0] : String(error)}\n\n${help}`)
    return null
  }
}

const flags = readFlags()
if (flags === null) process.exitCode = 2
else if (flags.help) console.log(help)
else {
  const report = await (flags.recover ? repair : look)(flags['data-dir'])
  console.log(flags.json ? JSON.stringify(report) : asTable(report, process.stdout.columns ?? 100))
  process.exitCode = report.ok ? 0 : 1
}
