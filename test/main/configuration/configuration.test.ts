import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  defaultDataDir,
  forgetSecrets,
  readConfiguration,
  readHostOptions,
  UsageError,
} from '../../../main/configuration/index.ts'
import { ConsoleError } from '../../../shared/errors.ts'

const district = {
  PSYFLO_EVENTS_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/1/events',
  PSYFLO_ACKS_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/1/acks',
}

const school = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'

describe('readConfiguration', () => {
  it('is the demonstration school when no queue is configured', () => {
    const read = readConfiguration({}, [])
    expect(read).toMatchObject({ mode: 'demo', demo: true, passphrase: null, ladder: 'station', fromEnvironment: [] })
    expect(read.queue).toMatchObject({ eventsQueueUrl: null, acksQueueUrl: null, endpoint: null })
  })

  it('is a district console when a queue is, and leaves it to the station to say whether anybody escalates', () => {
    const read = readConfiguration({ ...district, PSYFLO_PASSPHRASE: 'correct horse', PSYFLO_LADDER: '' }, [])
    expect(read).toMatchObject({ mode: 'district', demo: false, passphrase: 'correct horse', ladder: null })
    expect(read.queue.region).toBe('eu-west-1')
    expect(read.fromEnvironment).toEqual(['PSYFLO_EVENTS_QUEUE_URL', 'PSYFLO_ACKS_QUEUE_URL', 'PSYFLO_PASSPHRASE'])
  })

  it('runs the demonstration school beside a configured queue when asked', () => {
    expect(readConfiguration(district, ['--demo'])).toMatchObject({ mode: 'district', demo: true })
  })

  it('serves the chat page where it is asked to, which a district console cannot', () => {
    expect(readConfiguration({}, []).chatPage).toBe(false)
    expect(readConfiguration({ PSYFLO_CHAT_PAGE: 'off' }, []).chatPage).toBe(false)
    expect(readConfiguration({ PSYFLO_CHAT_PAGE: 'on' }, []).chatPage).toBe(true)
    expect(readConfiguration({}, ['--chat-page']).chatPage).toBe(true)
    expect(() => readConfiguration(district, ['--chat-page'])).toThrowError(UsageError)
    expect(readConfiguration(district, ['--chat-page', '--demo']).chatPage).toBe(true)
  })

  it('takes the endpoint of the queue service before that of all services', () => {
    const endpoints = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:2' }
    expect(readConfiguration({ ...district, ...endpoints }, []).queue.endpoint).toBe('http://127.0.0.1:2')
  })

  it('takes the data directory from the flag, then the environment, then the platform', () => {
    expect(readConfiguration({ PSYFLO_DATA_DIR: 'b' }, ['--data-dir', 'a']).dataDir).toBe(resolve('a'))
    expect(readConfiguration({ PSYFLO_DATA_DIR: 'b' }, []).dataDir).toBe(resolve('b'))
    expect(defaultDataDir({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/psyflo-console')
    expect(defaultDataDir({}, 'darwin')).toContain('Application Support')
    expect(defaultDataDir({ APPDATA: 'C:' }, 'win32')).toContain('PsyFlo Console')
  })

  it.each([
    ['PSYFLO_EVENTS_QUEUE_URL', 'MARKED', 'http'],
    ['PSYFLO_LADDER', 'MARKED', 'station or off'],
    ['PSYFLO_LOG_LEVEL', 'MARKED', 'info, warn or error'],
    ['PSYFLO_SCHOOL_ID', 'MARKED', 'UUID'],
  ])('names %s when it cannot be read, without repeating its value', (name, value, wanted) => {
    const reading = () => readConfiguration({ [name]: value }, [])
    expect(reading).toThrowError(expect.objectContaining({ code: 'configuration' }) as Error)
    expect(reading).toThrowError(name)
    expect(reading).toThrowError(wanted)
    expect(reading).not.toThrowError(value)
  })
})

describe('a desk', () => {
  let dataDir: string
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'configured-'))))
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))
  const modeOf = (env: Record<string, string>, ...flags: string[]) => {
    const { mode, demo } = readConfiguration(env, ['--data-dir', dataDir, ...flags])
    return demo ? 'demonstration' : mode
  }
  const setUp = () => writeFileSync(join(dataDir, 'desk.json'), '{"version":1}')

  it('is what was asked for, or what the data directory was set up as, unless the demonstration is asked for', () => {
    expect([modeOf({}), modeOf({}, '--desk')]).toEqual(['demonstration', 'desk'])
    setUp()
    expect([modeOf({}), modeOf({}, '--desk'), modeOf({}, '--demo')]).toEqual(['desk', 'desk', 'demonstration'])
  })

  it('takes a sign-in token and a school, which elsewhere are half a district console', () => {
    expect(modeOf({ PSYFLO_SIGN_IN_TOKEN: 'a.b.c', PSYFLO_JWT_SECRET: 's', PSYFLO_SCHOOL_ID: school }, '--desk')).toBe(
      'desk',
    )
  })

  it.each([['PSYFLO_EVENTS_QUEUE_URL'], ['PSYFLO_ACKS_QUEUE_URL'], ['PSYFLO_EVENTS_TOPIC_ARN']])(
    'is contradicted by %s, in a sentence',
    (name) => {
      const env = { [name]: 'https://sqs.eu-west-1.amazonaws.com/1/queue' }
      expect(() => modeOf(env, '--desk')).toThrowError(UsageError)
      expect(() => modeOf(env, '--desk')).toThrowError(name)
      setUp()
      expect(() => modeOf(env)).toThrowError(/was set up as a desk.*--data-dir/)
    },
  )

  it('is contradicted by the demonstration', () => {
    expect(() => modeOf({}, '--desk', '--demo')).toThrowError(UsageError)
  })
})

describe('half a district console', () => {
  const refusal = (env: Record<string, string>, argv: string[] = []) => {
    try {
      return readConfiguration(env, argv).mode
    } catch (error) {
      return error instanceof ConsoleError && error.code === 'configuration' ? error.happened : error
    }
  }

  it.each([
    ['PSYFLO_ACKS_QUEUE_URL', district.PSYFLO_ACKS_QUEUE_URL],
    ['PSYFLO_SIGN_IN_TOKEN', 'a.b.c'],
    ['PSYFLO_SCHOOL_ID', school],
    ['PSYFLO_EVENT_QUEUE_URL', district.PSYFLO_EVENTS_QUEUE_URL],
  ])('is refused where %s is set without an events queue, and never a demonstration unless asked', (name, value) => {
    expect(refusal({ [name]: value })).toBe(
      `${name} is set, as for a district console, and PSYFLO_EVENTS_QUEUE_URL is not.`,
    )
    expect(refusal({ [name]: value }, ['--demo'])).toBe('demo')
    expect(refusal({ ...district, [name]: value })).toBe('district')
  })

  it('is a station where a topic is set, and says which command that is', () => {
    const PSYFLO_EVENTS_TOPIC_ARN = 'arn:aws:sns:eu-west-1:1:events'
    expect(refusal({ PSYFLO_EVENTS_TOPIC_ARN })).toMatch(/^PSYFLO_EVENTS_TOPIC_ARN is set, as for a station/)
    expect(() => readConfiguration({ PSYFLO_EVENTS_TOPIC_ARN }, [])).toThrowError(
      expect.objectContaining({ todo: expect.stringContaining('npm run station -- --check') as string }) as Error,
    )
    expect(refusal({ PSYFLO_EVENTS_TOPIC_ARN }, ['--demo'])).toBe('demo')
    expect(refusal({ ...district, PSYFLO_EVENTS_TOPIC_ARN })).toBe('district')
  })

  it('is refused with every name there is to correct', () => {
    const { PSYFLO_EVENTS_QUEUE_URL: url, PSYFLO_ACKS_QUEUE_URL } = district
    expect(refusal({ PSYFLO_ACKS_QUEUE_URL, PSYFLO_SCHOOL_ID: school, PSYFLO_EVENTS_QUEUE_ULR: url })).toMatch(
      /^PSYFLO_ACKS_QUEUE_URL, PSYFLO_SCHOOL_ID, and PSYFLO_EVENTS_QUEUE_ULR are set/,
    )
  })

  it('is not what a passphrase, a data directory or an endpoint makes', () => {
    const others = {
      PSYFLO_PASSPHRASE: 'p',
      PSYFLO_DATA_DIR: 'd',
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1',
      PSYFLO_COLOR: 'x',
    }
    expect(refusal(others)).toBe('demo')
  })
})

it.each([school.toUpperCase(), `{${school}}`, `{${school.toUpperCase()}} `])(
  'takes %s for the same school',
  (written) => {
    expect(readConfiguration({ ...district, PSYFLO_SCHOOL_ID: written }, []).schoolId).toBe(school)
  },
)

describe('the address of the station', () => {
  const read = (PSYFLO_STATION_URL: string) => readConfiguration({ ...district, PSYFLO_STATION_URL }, []).stationUrl

  it.each(['https://station.school.example/psyflo', 'http://127.0.0.1:8787', 'http://localhost:1', 'http://[::1]:1'])(
    'is %s',
    (address) => expect(read(address)).toBe(address),
  )

  it.each([
    'http://station.school.example',
    'https://admin:secret@station.school.example',
    'ftp://127.0.0.1',
    'station',
  ])('is not %s: a token would be read on the way, or the address holds a secret', (address) =>
    expect(() => read(address)).toThrow('PSYFLO_STATION_URL is not an address'),
  )
})

describe('the clinical service', () => {
  const http = { PSYFLO_CLINICAL_URL: 'https://models.school.example/v1', PSYFLO_CLINICAL_MODEL: 'm' }
  const sagemaker = { PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT: 'psyflo-clinical' }
  const clinicalOf = (env: Record<string, string>) => readConfiguration(env, []).clinical

  it('is local unless one is named', () => {
    expect(clinicalOf({})).toBeNull()
    expect(clinicalOf({ AWS_ENDPOINT_URL: 'http://queues.school.example' })).toBeNull()
  })

  it('refuses a key that no header can carry', () => {
    expect(() => clinicalOf({ ...http, PSYFLO_CLINICAL_KEY: 'two\nlines' })).toThrow(/PSYFLO_CLINICAL_KEY/)
  })

  it('is an OpenAI-compatible endpoint, or one of SageMaker', () => {
    const url = http.PSYFLO_CLINICAL_URL
    expect(clinicalOf(http)).toEqual({ kind: 'http', url, model: 'm', key: null })
    expect(clinicalOf({ ...http, PSYFLO_CLINICAL_KEY: 'k' })).toMatchObject({ key: 'k' })
    const there = { kind: 'sagemaker', endpoint: 'psyflo-clinical', model: null, region: 'eu-west-1', address: null }
    expect(clinicalOf({ ...sagemaker, AWS_REGION: 'eu-west-1' })).toEqual(there)
    const own = { AWS_ENDPOINT_URL: 'https://a.example', AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: 'https://b.example' }
    expect(clinicalOf({ ...sagemaker, ...own })).toMatchObject({ address: 'https://b.example' })
  })

  it.each(['http://localhost:11434/v1', 'http://127.0.0.1:8000/v1', 'http://127.1.2.3', 'http://[::1]:8080/v1'])(
    'may be asked unencrypted on this machine: %s',
    (url) => {
      expect(clinicalOf({ ...http, PSYFLO_CLINICAL_URL: url })).toMatchObject({ url })
    },
  )

  it.each([
    ['both at once', { ...http, ...sagemaker }, 'are both set'],
    ['a service without a model', { PSYFLO_CLINICAL_URL: http.PSYFLO_CLINICAL_URL }, 'PSYFLO_CLINICAL_MODEL is not'],
    ['a model without a service', { PSYFLO_CLINICAL_MODEL: 'm' }, 'no variable names'],
    ['a key without a service', { PSYFLO_CLINICAL_KEY: 'k-secret' }, 'no variable names'],
    ['another machine, unencrypted', { ...http, PSYFLO_CLINICAL_URL: 'http://models.example/v1' }, 'unencrypted'],
    [
      'a host that only looks local',
      { ...http, PSYFLO_CLINICAL_URL: 'http://127.0.0.1.models.example' },
      'unencrypted',
    ],
    ['the same for SageMaker', { ...sagemaker, AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: 'http://a.example' }, 'RUNTIME'],
    ['the same for all of AWS', { ...sagemaker, AWS_ENDPOINT_URL: 'http://a.example' }, 'AWS_ENDPOINT_URL '],
    [
      'a password in the address',
      { ...http, PSYFLO_CLINICAL_URL: 'https://me:k-secret@models.example' },
      'contains a name',
    ],
    ['no address', { ...http, PSYFLO_CLINICAL_URL: 'models' }, 'http'],
    ['no endpoint’s name', { PSYFLO_CLINICAL_SAGEMAKER_ENDPOINT: 'arn:aws:x/y' }, 'SageMaker endpoint'],
  ])('is refused: %s', (_, env, wanted) => {
    expect(() => clinicalOf(env)).toThrowError(expect.objectContaining({ code: 'configuration' }) as Error)
    expect(() => clinicalOf(env)).toThrowError(wanted)
    expect(() => clinicalOf(env)).not.toThrowError('k-secret')
  })
})

it('takes an embedder’s folder as it is named, and none where none is', () => {
  expect(readConfiguration({ PSYFLO_EMBEDDER_DIR: 'models/small' }, []).embedderDir).toBe(resolve('models/small'))
  expect(readConfiguration({}, []).embedderDir).toBeNull()
})

describe('readHostOptions', () => {
  it('opens a browser at the usual port by default', () => {
    expect(readHostOptions([])).toEqual({ web: false, port: null, open: true, help: false })
  })

  it('reads every flag', () => {
    expect(readHostOptions(['--web', '--port', '8123', '--no-open', '--data-dir=x', '--demo'])).toEqual({
      web: true,
      port: 8123,
      open: false,
      help: false,
    })
  })

  it.each([['--wbe'], ['--port'], ['--port=-1'], ['--port=70000'], ['--port=http'], ['extra']])(
    'refuses %s',
    (flag) => {
      expect(() => readHostOptions([flag])).toThrowError(UsageError)
    },
  )
})

it('keeps what the intake of a desk reads, which opens when the data are unlocked', () => {
  const env = { CONSULTX_API_KEYS: 'MARKED', CONSULTX_BUFFER_SIZE: '30', CONSULTX_API_KEYS_FILE: '' }
  const { intake, fromEnvironment } = readConfiguration(env, [])
  forgetSecrets(env)
  expect(intake).toEqual({ CONSULTX_API_KEYS: 'MARKED', CONSULTX_BUFFER_SIZE: '30' })
  expect(fromEnvironment).toEqual([])
})

it('takes what is secret out of the environment, and nothing else', () => {
  const env = {
    PSYFLO_PASSPHRASE: 'a',
    PSYFLO_SIGN_IN_TOKEN: 'b',
    PSYFLO_JWT_SECRET: 'c',
    PSYFLO_CLINICAL_KEY: 'd',
    CONSULTX_API_KEYS: 'e',
    PSYFLO_LADDER: 'off',
  }
  forgetSecrets(env)
  expect(env).toEqual({ PSYFLO_LADDER: 'off' })
})
