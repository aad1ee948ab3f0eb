import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readKeysCommand, readKeysConfiguration, UsageError } from '../../../main/configuration/index.ts'

const school = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'
const read = (...argv: string[]) => readKeysCommand({ PSYFLO_SCHOOL_ID: school }, argv)

describe('keys', () => {
  it('are listed, of every school or of one', () => {
    expect(read('list')).toEqual({ does: 'list', school: null, json: false })
    expect(read('list', '--json', '--school', `{${school.toUpperCase()}}`)).toEqual({
      does: 'list',
      school,
      json: true,
    })
  })

  it('are issued to read and write at the school of the station, unless told otherwise', () => {
    const chat = { does: 'issue', school, label: 'the chat', scopes: ['read', 'write'], json: false }
    expect(read('issue', '--label', ' the chat ')).toEqual(chat)
    const other = '00000000-1111-4222-8333-444444444444'
    expect(read('issue', '--label=x', '--school', other, '--scopes', 'write+backfill+write')).toMatchObject({
      school: other,
      scopes: ['write', 'backfill'],
    })
  })

  it('are revoked by their id', () => {
    expect(read('revoke', 'id-1')).toEqual({ does: 'revoke', id: 'id-1', json: false })
  })

  it.each(
    [
      [],
      ['show'],
      ['list', 'extra'],
      ['list', '--label', 'x'],
      ['list', '--school', 'lakeside'],
      ['issue'],
      ['issue', '--label', ' '],
      ['issue', '--label', 'two\nlines'],
      ['issue', '--label', 'x'.repeat(101)],
      ['issue', '--label', 'x', '--scopes', 'admin'],
      ['issue', '--label', 'x', '--scopes', ''],
      ['revoke'],
      ['revoke', 'a', 'b'],
      ['revoke', 'a', '--school', school],
      ['--port', '1'],
    ].map((argv) => [argv.join(' ').slice(0, 40), argv] as const),
  )('refuse “%s”', (_, argv) => {
    expect(() => read(...argv)).toThrow(UsageError)
  })

  it('are issued to no school that nobody has named', () => {
    expect(() => readKeysCommand({}, ['issue', '--label', 'x'])).toThrow('--school or PSYFLO_SCHOOL_ID')
    expect(() => readKeysCommand({}, [])).toThrow('keys needs a command: list, issue, or revoke')
    expect(() => readKeysCommand({}, ['isue'])).toThrow('There is no command keys isue')
  })

  it('are read or refused in words, whatever is typed', () => {
    const word = fc.oneof(
      fc.constantFrom('list', 'issue', 'revoke', '--label', '--scopes', '--json', '--school'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (argv) => {
        try {
          expect(read(...argv).does).toMatch(/^(help|list|issue|revoke)$/)
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
    )
  })
})

it('need what opens the data, and nothing of topic and queue', () => {
  const set = { PSYFLO_PASSPHRASE: 'several words here', PSYFLO_DATABASE_URL: 'postgres://psyflo@localhost/psyflo' }
  expect(readKeysConfiguration(set, ['list', '--data-dir', '/data'])).toEqual({
    dataDir: '/data',
    databaseUrl: set.PSYFLO_DATABASE_URL,
    passphrase: set.PSYFLO_PASSPHRASE,
    schoolId: null,
    salt: null,
  })
  expect(() => readKeysConfiguration({}, ['list'])).toThrow('PSYFLO_PASSPHRASE')
})
