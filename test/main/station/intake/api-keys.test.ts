import { describe, expect, it } from 'vitest'
import { callersOf, callerWith, parseApiKeys, presentedKey } from '../../../../main/station/intake/api-keys.ts'
import { rateLimiter } from '../../../../main/station/intake/rate-limit.ts'
import { readIntakeSettings, refuseOtherSchools } from '../../../../main/station/intake/index.ts'
import { ConsoleError } from '../../../../shared/errors.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { school } from '../../../support/wire.ts'

describe('API keys', () => {
  it('are read from lines or commas, with school and scopes', () => {
    expect(
      parseApiKeys('# chat\naaaaaaaaaaaaaaaa\nbbbbbbbbbbbbbbbb:{School-1},cccccccccccccccc::read+analytics\n'),
    ).toEqual([
      { key: 'aaaaaaaaaaaaaaaa', school_id: null, scopes: ['read', 'write'] },
      { key: 'bbbbbbbbbbbbbbbb', school_id: 'school-1', scopes: ['read', 'write'] },
      { key: 'cccccccccccccccc', school_id: null, scopes: ['read', 'analytics'] },
    ])
  })

  it.each(['tiny-key', 'aaaaaaaaaaaaaaaa::everything', 'aaaaaaaaaaaaaaaa:one,aaaaaaaaaaaaaaaa:two'])(
    'refuses %j without repeating it',
    (entry) => {
      expect(() => parseApiKeys(entry)).toThrow(ConsoleError)
      try {
        parseApiKeys(entry)
      } catch (error) {
        expect(String(error)).not.toContain(entry)
      }
    },
  )

  it('are found whole, never by a part', () => {
    const callers = callersOf(parseApiKeys('aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb:another'), 'own')
    const find = (presented: string) => callerWith(callers, presented)
    expect(find('bbbbbbbbbbbbbbbb')).toMatchObject({ school_id: 'another', scopes: ['read', 'write'] })
    expect(find('aaaaaaaaaaaaaaaa')?.school_id).toBe('own')
    for (const wrong of ['', 'b', 'bbbbbbbbbbbbbbbbb', 'BBBBBBBBBBBBBBBB']) expect(find(wrong)).toBeNull()
  })

  it('are taken from either header', () => {
    expect(presentedKey({ authorization: 'bearer abc' })).toBe('abc')
    expect(presentedKey({ 'x-api-key': 'abc' })).toBe('abc')
    expect(presentedKey({ authorization: 'Basic abc' })).toBeNull()
  })
})

describe('settings of the intake', () => {
  it('of one school are refused with a key of another, which is not said', () => {
    const refusing = (keys: string) => () =>
      refuseOtherSchools(
        readIntakeSettings({ CONSULTX_API_KEYS: keys }, () => ''),
        school,
      )
    expect(refusing(`aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb:${school.toUpperCase()}:read`)).not.toThrow()
    const other = refusing('aaaaaaaaaaaaaaaa,MARKEDbbbbbbbbbb:another')
    expect(other).toThrowError(expect.objectContaining({ code: 'api_keys' }) as Error)
    expect(other).not.toThrowError('MARKED')
  })

  it('join keys of the environment and of its file', () => {
    const environment = {
      CONSULTX_API_KEYS: 'aaaaaaaaaaaaaaaa',
      CONSULTX_API_KEYS_FILE: '/keys',
      CONSULTX_BUFFER_SIZE: '30',
    }
    const { keys, bufferSize } = readIntakeSettings(environment, () => 'bbbbbbbbbbbbbbbb\n')
    expect(keys.map(({ key }) => key)).toEqual(['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'])
    expect(bufferSize).toBe(30)
    expect(readIntakeSettings({}, () => '')).toEqual({ keys: [], bufferSize: 20 })
  })

  it.each(['1', '201', '2.5', 'many'])('refuse a buffer of %s messages', (CONSULTX_BUFFER_SIZE) => {
    expect(() => readIntakeSettings({ CONSULTX_BUFFER_SIZE }, () => '')).toThrow(ConsoleError)
  })
})

describe('the rate limit', () => {
  it('lets a burst through, then as many as come back with time, per caller', () => {
    const clock = virtualClock()
    const wait = rateLimiter(clock, { perSecond: 2, burst: 3 })
    expect([wait('a'), wait('a'), wait('a')]).toEqual([0, 0, 0])
    expect(wait('a')).toBe(1)
    expect(wait('b')).toBe(0)
    clock.advance(500)
    expect([wait('a'), wait('a')]).toEqual([0, 1])
  })
})
