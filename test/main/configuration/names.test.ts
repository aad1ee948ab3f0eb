import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { help, sentenceAbout, stationHelp, unreadVariables, variableNames } from '../../../main/configuration/index.ts'
import { laterNames, namesOf } from '../../../main/configuration/environment.ts'

const said = (...names: string[]) =>
  unreadVariables(Object.fromEntries(names.map((name) => [name, 'x']))).map(sentenceAbout)

describe('a variable nobody reads', () => {
  it('is named with the known name most like it', () => {
    expect(said('PSYFLO_EVENT_QUEUE_URL')).toEqual([
      'PSYFLO_EVENT_QUEUE_URL is not known; did you mean PSYFLO_EVENTS_QUEUE_URL?',
    ])
    expect(said('PSYFLO_EVENTS_QUEUE')).toEqual([
      'PSYFLO_EVENTS_QUEUE is not known; did you mean PSYFLO_EVENTS_QUEUE_URL?',
    ])
    expect(said('PSYFLO_PASPHRASE', 'PSYFLO_DATABSE_URL')).toEqual([
      'PSYFLO_DATABSE_URL is not known; did you mean PSYFLO_DATABASE_URL?',
      'PSYFLO_PASPHRASE is not known; did you mean PSYFLO_PASSPHRASE?',
    ])
  })

  it('is named alone where no known name is like it', () => {
    expect(said('PSYFLO_COLOR')).toEqual(['PSYFLO_COLOR is not known.'])
  })

  it('is told apart from one that a later version reads', () => {
    expect(said('PSYFLO_KMS_KEY_ID', 'PSYFLO_SUMMARY_URL')).toEqual([
      'PSYFLO_KMS_KEY_ID is known, but not used by this version.',
      'PSYFLO_SUMMARY_URL is known, but not used by this version.',
    ])
  })

  it('is nothing that is read, set to nothing, or somebody else’s', () => {
    expect(said(...variableNames, 'HOME', 'MY_PSYFLO_X')).toEqual([])
    expect(unreadVariables({ PSYFLO_COLOR: '' })).toEqual([])
  })
})

describe('the names', () => {
  const readme = readFileSync('README.md', 'utf8')
  const named = (text: string) => new Set(text.match(/\b(?:PSYFLO|AWS_ENDPOINT)_[A-Z_]+[A-Z]\b/g))
  const own = variableNames.filter((name) => name.startsWith('PSYFLO_'))

  it.each(own)('%s stands in README, and in the help text of each program that reads it', (name) => {
    expect(named(readme)).toContain(name)
    expect(named(help).has(name)).toBe(namesOf('console').includes(name))
    expect(named(stationHelp).has(name)).toBe(namesOf('station').includes(name))
  })

  it('of both programs are the ones that mean the same to either', () => {
    const both = namesOf('console').filter((name) => namesOf('station').includes(name))
    expect(both).toEqual(
      expect.arrayContaining(['PSYFLO_ACKS_QUEUE_URL', 'PSYFLO_SCHOOL_ID', 'PSYFLO_PASSPHRASE_FILE']),
    )
    expect(both).not.toContain('PSYFLO_EVENTS_QUEUE_URL')
    expect(both).not.toContain('PSYFLO_EVENTS_TOPIC_ARN')
  })

  it('in README are read by this version, or said to be of a later one', () => {
    const known: readonly string[] = [...variableNames, ...laterNames]
    expect([...named(readme)].filter((name) => !known.includes(name))).toEqual([])
  })
})
