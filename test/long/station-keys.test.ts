/** The same on a PostgreSQL that two stations share. */
import { describe } from 'vitest'
import { postgresMissing, testPostgres } from '../support/postgres.ts'
import { keysBesideStations } from '../support/station-keys.ts'

describe.skipIf(postgresMissing !== null)(
  `keys of two stations on PostgreSQL${postgresMissing ? ` (${postgresMissing})` : ''}`,
  () => {
    keysBesideStations(2, async () => ({
      PSYFLO_DATABASE_URL: (await (await testPostgres()).createDatabase('keys')).url,
    }))
  },
)
