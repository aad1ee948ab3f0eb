import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  forgetSecrets,
  readConfiguration,
  readStationConfiguration,
  readStationOptions,
  stationHelp,
  UsageError,
} from '../../../main/configuration/index.ts'
import { isListed } from '../../../main/station/intake/proxies.ts'

const school = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'
const whole = {
  PSYFLO_EVENTS_TOPIC_ARN: 'arn:aws:sns:eu-west-1:123456789012:psyflo-events',
  PSYFLO_ACKS_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/1/acks',
  PSYFLO_SCHOOL_ID: school,
  PSYFLO_PASSPHRASE: 'a passphrase for tests',
}

let dir: string
beforeAll(() => void (dir = mkdtempSync(join(tmpdir(), 'station-configuration-'))))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const file = (name: string, text: string): string => {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

const read = (more: Record<string, string> = {}, argv: string[] = []) =>
  readStationConfiguration({ ...whole, ...more }, argv)
const refused = (more: Record<string, string>, argv: string[] = []) => expect(() => read(more, argv))

describe('a station', () => {
  it('listens on this machine alone, and keeps a file, unless told otherwise', () => {
    expect(read()).toMatchObject({
      address: { host: '127.0.0.1', port: 8787 },
      trustedProxies: null,
      databaseUrl: null,
      schoolId: school,
      salt: null,
      clinical: null,
      reply: null,
      riskAdapters: [],
      operatorToken: null,
      logLevel: 'info',
    })
  })

  it('takes the regions of queue and topic from their names, and compatible servers from theirs', () => {
    const { queues, topic } = read({
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_SNS: 'http://127.0.0.1:2',
    })
    expect(queues).toEqual({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:1', credentials: null })
    expect(topic).toEqual({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:2', credentials: null })
    expect(read({ AWS_REGION: 'us-west-2' })).toMatchObject({
      queues: { region: 'us-west-2' },
      topic: { region: 'eu-west-1' },
    })
  })

  it.each(Object.keys(whole))('is half a station without %s, and that is said', (name) => {
    refused({ [name]: '' }).toThrowError(expect.objectContaining({ code: 'configuration' }) as Error)
    refused({ [name]: '' }).toThrowError(name)
  })

  it('names everything that is missing at once', () => {
    for (const name of Object.keys(whole)) expect(() => readStationConfiguration({}, [])).toThrowError(name)
  })

  it('names everything that cannot be read, that is missing and that cannot be, at once', () => {
    const wrong = {
      PSYFLO_EVENTS_TOPIC_ARN: 'MARKED',
      PSYFLO_ACKS_QUEUE_URL: '',
      PSYFLO_SCHOOL_ID: 'MARKED',
      PSYFLO_PASSPHRASE_FILE: 'both-are-set',
      PSYFLO_TRUST_PROXY: 'MARKED',
    }
    for (const name of Object.keys(wrong)) refused(wrong).toThrowError(name)
    refused(wrong).not.toThrowError('MARKED')
    refused(wrong).not.toThrowError('where events go')
  })

  it('says what the id of a school looks like and where one comes from, in help as in the refusal', () => {
    for (const told of ['UUID', 'student information system', 'uuidgen']) {
      refused({ PSYFLO_SCHOOL_ID: 'lakeside-high' }).toThrowError(told)
      expect(stationHelp.replace(/\s+/g, ' ')).toContain(told)
    }
  })

  it.each([
    ['PSYFLO_EVENTS_TOPIC_ARN', 'MARKED', 'ARN of an SNS topic'],
    ['PSYFLO_DATABASE_URL', 'mysql://MARKED', 'postgres://'],
    ['PSYFLO_STUDENT_SALT', 'MARKED', 'base64'],
    ['PSYFLO_STUDENT_SALT', 'not base64 at all, MARKED', 'base64'],
    ['PSYFLO_STATION_TOKEN', 'MARKED two\nlines', 'a token'],
    ['PSYFLO_STATION_TOKEN', 'MARKED-short', '16 characters'],
    ['PSYFLO_TRUST_PROXY', 'MARKED', 'addresses'],
    ['PSYFLO_TRUST_PROXY', '10.0.0.7,', 'addresses'],
    ['PSYFLO_TRUST_PROXY', '0.0.0.0/0', 'addresses'],
    ['PSYFLO_TRUST_PROXY', '10.0.0.0/33', 'addresses'],
  ])('names %s where it cannot be read, without repeating its value', (name, value, wanted) => {
    refused({ [name]: value }).toThrowError(name)
    refused({ [name]: value }).toThrowError(wanted)
    refused({ [name]: value }).not.toThrowError('MARKED')
  })

  it('reads no variable of a console, and a console none of a station', () => {
    expect(read({ PSYFLO_EVENTS_QUEUE_URL: 'MARKED', PSYFLO_STATION_URL: 'MARKED' })).toMatchObject({
      schoolId: school,
    })
    expect(readConfiguration({ PSYFLO_DATABASE_URL: 'MARKED', PSYFLO_TRUST_PROXY: 'MARKED' }, []).mode).toBe('demo')
  })

  it('takes its secrets out of the environment', () => {
    const env = {
      ...whole,
      CONSULTX_API_KEYS: 'k',
      PSYFLO_STATION_TOKEN: 't',
      PSYFLO_REPLY_KEY: 'r',
      PSYFLO_STUDENT_SALT: 's',
      PSYFLO_DATABASE_URL: 'd',
    }
    forgetSecrets(env)
    const { PSYFLO_PASSPHRASE: _, ...rest } = whole
    expect(env).toEqual(rest)
  })
})

describe('the address', () => {
  it.each(['127.0.0.1', 'localhost', '::1'])('may be %s without anything in front', (host) => {
    expect(read({}, ['--host', host, '--port', '0']).address).toEqual({ host, port: 0 })
  })

  it.each(['0.0.0.0', '::', '10.0.0.7', 'station.school.example', '127.0.0.1.school.example'])(
    'may be %s only behind proxies that are named',
    (host) => {
      refused({}, ['--host', host]).toThrowError('PSYFLO_TRUST_PROXY')
      expect(read({ PSYFLO_TRUST_PROXY: '10.0.0.1' }, ['--host', host]).address.host).toBe(host)
    },
  )

  it('trusts the addresses and networks of PSYFLO_TRUST_PROXY and no other, however they are written', () => {
    const proxies = read({ PSYFLO_TRUST_PROXY: ' 10.0.0.7, 192.168.4.0/22 ,fd00::/8' }).trustedProxies!
    for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '192.168.7.255', 'fd12::1'])
      expect(isListed(proxies, address), address).toBe(true)
    for (const address of ['10.0.0.8', '192.168.8.0', 'fe80::1', '', 'nobody', undefined])
      expect(isListed(proxies, address), address).toBe(false)
  })

  it('of a proxy stands for itself alone, whatever it is', () => {
    const octet = fc.integer({ min: 1, max: 254 })
    const address = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'))
    fc.assert(
      fc.property(address, address, (one, other) => {
        const proxies = read({ PSYFLO_TRUST_PROXY: one }).trustedProxies!
        expect(isListed(proxies, one)).toBe(true)
        expect(isListed(proxies, other)).toBe(one === other)
      }),
    )
  })
})

describe('the passphrase', () => {
  const { PSYFLO_PASSPHRASE: _, ...without } = whole
  const withFile = (path: string) => () => readStationConfiguration({ ...without, PSYFLO_PASSPHRASE_FILE: path }, [])

  it('may stand in a file, with or without a line break at its end', () => {
    expect(withFile(file('one', 'several words here\n'))().passphrase).toBe('several words here')
    expect(withFile(file('two', ' several words here'))().passphrase).toBe(' several words here')
  })

  it('may do so for a console, too', () => {
    const env = { PSYFLO_PASSPHRASE_FILE: file('console', 'words\r\n') }
    expect(readConfiguration(env, []).passphrase).toBe('words')
  })

  it('is refused where the file is empty, not there, or one of two', () => {
    expect(withFile(file('empty', '\n'))).toThrowError('is empty')
    expect(withFile(join(dir, 'MARKED'))).toThrowError('cannot be read')
    expect(withFile(join(dir, 'MARKED'))).not.toThrowError('MARKED')
    refused({ PSYFLO_PASSPHRASE_FILE: file('both', 'words') }).toThrowError('both set')
  })
})

describe('the reply service', () => {
  const service = { PSYFLO_REPLY_URL: 'https://models.school.example/v1', PSYFLO_REPLY_MODEL: 'm' }

  it('is an address and a model, and a key where it wants one', () => {
    expect(read(service).reply).toEqual({ url: service.PSYFLO_REPLY_URL, model: 'm', key: null })
    expect(read({ ...service, PSYFLO_REPLY_KEY: 'k' }).reply).toMatchObject({ key: 'k' })
    expect(read({ ...service, PSYFLO_REPLY_URL: 'http://127.0.0.1:11434/v1' }).reply).not.toBeNull()
  })

  it.each([
    ['a service without a model', { PSYFLO_REPLY_URL: service.PSYFLO_REPLY_URL }, 'PSYFLO_REPLY_MODEL is not'],
    ['a model without a service', { PSYFLO_REPLY_MODEL: 'm' }, 'PSYFLO_REPLY_URL is not'],
    ['a key without a service', { PSYFLO_REPLY_KEY: 'k-secret' }, 'PSYFLO_REPLY_URL is not'],
    ['another machine, unencrypted', { ...service, PSYFLO_REPLY_URL: 'http://models.example/v1' }, 'unencrypted'],
    [
      'a password in the address',
      { ...service, PSYFLO_REPLY_URL: 'https://me:k-secret@a.example' },
      'PSYFLO_REPLY_KEY',
    ],
  ])('is refused: %s', (_, env, wanted) => {
    refused(env).toThrowError(wanted)
    refused(env).not.toThrowError('k-secret')
  })
})

describe('the ways to reach people', () => {
  const secret = 'a-secret-of-thirty-two-characters'
  const webhook = { PSYFLO_WEBHOOK_URL: 'https://calls.school.example/hook', PSYFLO_WEBHOOK_SECRET: secret }
  const mail = { PSYFLO_SMTP_URL: 'smtp://alarm:p%40ss@mail.school.example', PSYFLO_SMTP_FROM: 'alarm@school.example' }

  it('are none until one is configured', () => {
    const none = { sms: null, webhook: null, email: null, answersTopicArn: null, consoleUrl: null }
    expect(read().channels).toEqual(none)
    expect(read({ PSYFLO_SMS: 'off' }).channels).toEqual(none)
  })

  it('are texts from the region of the station, under a name where there is one', () => {
    const { sms } = read({ PSYFLO_SMS: 'sns', PSYFLO_SMS_SENDER: 'SCHOOL', AWS_ENDPOINT_URL_SNS: 'http://127.0.0.1:2' }).channels // prettier-ignore
    expect(sms).toEqual({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:2', credentials: null, sender: 'SCHOOL' })
  })

  it('are a webhook with its secret', () => {
    expect(read(webhook).channels.webhook).toEqual({ url: webhook.PSYFLO_WEBHOOK_URL, secret })
    expect(read({ ...webhook, PSYFLO_WEBHOOK_URL: 'http://127.0.0.1:9/hook' }).channels.webhook).not.toBeNull()
  })

  it('are mails, over TLS wherever others could read them', () => {
    const { email } = read(mail).channels
    expect(email).toMatchObject({ host: 'mail.school.example', port: 587, tls: 'starttls', user: 'alarm', password: 'p@ss' }) // prettier-ignore
    const at = (address: string) => read({ ...mail, PSYFLO_SMTP_URL: address }).channels.email
    expect(at('smtps://mail.school.example')).toMatchObject({ port: 465, tls: 'always', user: null, password: null })
    expect(at('smtp://127.0.0.1:2525')).toMatchObject({ host: '127.0.0.1', port: 2525, tls: 'none' })
    expect(at('smtp://[::1]:2525')).toMatchObject({ host: '::1', tls: 'none' })
  })

  it.each([
    ['a webhook without a secret', { PSYFLO_WEBHOOK_URL: webhook.PSYFLO_WEBHOOK_URL }, 'PSYFLO_WEBHOOK_SECRET is not'],
    ['a secret without a webhook', { PSYFLO_WEBHOOK_SECRET: secret }, 'PSYFLO_WEBHOOK_URL is not'],
    ['a short secret', { ...webhook, PSYFLO_WEBHOOK_SECRET: 'a-secret' }, 'at least 32 characters'],
    ['a webhook that others could read', { ...webhook, PSYFLO_WEBHOOK_URL: 'http://a.example/' }, 'https://'],
    ['a mail server without an address', { PSYFLO_SMTP_URL: mail.PSYFLO_SMTP_URL }, 'PSYFLO_SMTP_FROM is not'],
    ['an address without a mail server', { PSYFLO_SMTP_FROM: mail.PSYFLO_SMTP_FROM }, 'PSYFLO_SMTP_URL is not'],
    ['a mail server of another kind', { ...mail, PSYFLO_SMTP_URL: 'https://a-secret@mail.example' }, 'smtp://'],
    ['a name without texts', { PSYFLO_SMS_SENDER: 'SCHOOL' }, 'PSYFLO_SMS is not sns'],
    ['a name that no text can have', { PSYFLO_SMS: 'sns', PSYFLO_SMS_SENDER: 'LAKESIDE HIGH' }, '1 to 11 letters'],
    ['a console behind a password', { PSYFLO_CONSOLE_URL: 'https://me:a-secret@a.example/' }, 'without a name'],
  ])('are refused: %s', (_, env, wanted) => {
    refused(env).toThrowError(wanted)
    refused(env).not.toThrowError(/a-secret/)
  })
})

it('takes risk adapters in their order, and refuses one that is not there or named twice', () => {
  const [one, two] = [file('one.mjs', ''), file('two.mjs', '')]
  expect(read({ PSYFLO_RISK_ADAPTERS: `${one}, ${two},` }).riskAdapters).toEqual(
    [one, two].map((path) => resolve(path)),
  )
  refused({ PSYFLO_RISK_ADAPTERS: `${one},${join(dir, 'MARKED.mjs')}` }).toThrowError('Module number 2')
  refused({ PSYFLO_RISK_ADAPTERS: `${one},${one}` }).toThrowError('twice')
})

it('serves the chat page by flag or variable, and not otherwise', () => {
  expect(read().chatPage).toBe(false)
  expect(read({}, ['--chat-page']).chatPage).toBe(true)
  expect(read({ PSYFLO_CHAT_PAGE: 'on' }).chatPage).toBe(true)
  expect(read({ PSYFLO_CHAT_PAGE: 'off' }).chatPage).toBe(false)
})

describe('its flags', () => {
  it('are few', () => {
    expect(readStationOptions([])).toEqual({ check: false, json: false, help: false })
    expect(readStationOptions(['--check', '--json', '--data-dir=x', '--host', '::1'])).toMatchObject({
      check: true,
      json: true,
    })
  })

  it.each([['--json'], ['--web'], ['--port'], ['extra']])('refuse %s', (flag) => {
    expect(() => readStationOptions([flag])).toThrowError(UsageError)
  })

  it.each(['-1', '70000', 'http', ''])('refuse the port “%s”', (port) => {
    refused({}, [`--port=${port}`]).toThrowError(UsageError)
  })
})
