import { describe, expect, it } from 'vitest'
import { said } from '../../../evaluation/engine.ts'
import { rulesOnly } from '../rules-only.ts'

const engine = rulesOnly()
const meanings = (text: string) => engine.assess(said(text)).matches.map(({ category, meaning }) => [category, meaning])

describe('whose danger a phrase speaks of', () => {
  it('is the student’s where somebody does it to the student', () => {
    const { tier, about_other } = engine.assess(said('my stepdad hits me'))
    expect({ tier, about_other }).toEqual({ tier: 'high', about_other: false })
    expect(meanings('my stepdad hits me')).toEqual([['abuse_disclosure', 'affirmed']])
  })
  it('is the student’s where the student has told another person of it', () => {
    expect(meanings('i told my mom about hurting myself')).toEqual([['self_harm', 'affirmed']])
    expect(meanings('my mom is hurting')).toEqual([])
  })
  it('is another’s where another person says it, whoever it is said of', () => {
    for (const text of ['she says everyone is suicidal', 'she told me you are suicidal']) {
      expect(meanings(text)).toEqual([['suicidal_ideation', 'about someone else']])
      expect(engine.assess(said(text))).toMatchObject({ tier: 'high', about_other: true })
    }
  })
  it('is not the student’s in the quoted words of another, though they say “I”', () => {
    const text = 'my friend said "i hope i die"'
    expect(meanings(text)).toEqual([['suicidal_ideation', 'quoted']])
    expect(engine.assess(said(text)).tier).not.toBe('crisis')
  })
  it('is nobody’s where the reader is spoken to, though never ok', () => {
    expect(meanings('you hurt themselves')).toEqual([['suicidal_ideation', 'quoted']])
    expect(engine.assess(said('you hurt themselves')).tier).toBe('caution')
  })
})

describe('what a lesser danger demands', () => {
  it.each([
    ['my friend is running away from home', 'running_away', 'about someone else', 'caution'],
    ['what if i go away forever', 'coded_language', 'hypothetical', 'caution'],
    ['what if i run away from home', 'running_away', 'hypothetical', 'caution'],
    ['i used to run away from home', 'running_away', 'past', 'caution'],
  ])('“%s” is %s, %s: %s', (text, category, meaning, tier) => {
    expect(meanings(text)).toEqual([[category, meaning]])
    expect(engine.assess(said(text)).tier).toBe(tier)
  })
})

describe('what others say to the student', () => {
  it.each([
    ['they told me to kill myself', 'quoted'],
    ['they told me to kill myself and they are right', 'affirmed'],
    ['they told me to kill myself and maybe i will', 'affirmed'],
  ])('“%s” is %s', (text, meaning) => {
    expect(meanings(text).map(([, each]) => each)).toContain(meaning)
  })
})

describe('what a denial and the past reach', () => {
  it.each([
    ['it is not like i want to die', 'negated'],
    ["why shouldn't i kill myself", 'affirmed'],
    ['i used to want to die', 'past'],
    ['i used to want to die and now i want to again', 'affirmed'],
  ])('“%s” is %s', (text, meaning) => {
    expect(meanings(text).map(([, each]) => each)).toContain(meaning)
  })
})

describe('the subject of a clause', () => {
  it.each([
    ['my head is suicidal', 'affirmed'],
    ['she is suicidal', 'about someone else'],
    ['i am suicidal', 'affirmed'],
    ['they made a poster about suicide for the hall', 'about someone else'],
    ['a poster on suicide hangs near the gym', 'quoted'],
    ['the voices told me to kill myself', 'affirmed'],
    ['she is fine but suicidal', 'affirmed'],
    ['i miss my mom and suicidal', 'affirmed'],
  ])('makes “%s” %s', (text, meaning) => {
    expect(meanings(text).map(([, each]) => each)).toContain(meaning)
  })
  it('is sought for loose words, which mean nothing without one', () => {
    const found = (text: string) => meanings(text).map(([category]) => category)
    expect(found('ready to jump now')).toContain('suicidal_intent')
    expect(found('ready to jump now and there is so much more to come')).not.toContain('suicidal_intent')
    expect(found('i am going to swerve into the tree')).not.toContain('suicidal_intent')
  })
})

describe('a negation', () => {
  it.each([
    ['i will not commit suicide', 'negated'],
    ['no matter what i do i wish i could die', 'affirmed'],
    ["i can't not think about suicide", 'affirmed'],
    ['i cant promise i wont kill myself', 'affirmed'],
    ['i will never kill myself yet', 'affirmed'],
    ['why never kill myself', 'affirmed'],
    ['no, kill myself', 'affirmed'],
  ])('“%s” leaves it %s', (text, meaning) => {
    expect(meanings(text).map(([, each]) => each)).toContain(meaning)
  })
})

describe('a negation that does not reach', () => {
  it.each(['why not hurt myself', 'never, hurting myself', 'no i will kill myself'])('“%s” denies nothing', (text) => {
    for (const [, meaning] of meanings(text)) expect(meaning).toBe('affirmed')
  })
})

describe('somebody who makes the student want it', () => {
  it.each(['he makes me want to die', 'she makes me wanna die', 'they make me want to die'])(
    '“%s” speaks of the student alone, and is meant',
    (text) => {
      expect(meanings(text).map(([, meaning]) => meaning)).toEqual(['affirmed'])
      expect(engine.assess(said(text)).tier).toBe('crisis')
    },
  )
  it('is another matter than a thing which does', () => {
    expect(meanings('this makes me want to die')).toEqual([['suicidal_ideation', 'hyperbole']])
  })
})

describe('what stands beside a jest', () => {
  it.each(['haha i want to die but like actually', 'kms lol please help me i mean it'])('“%s” is sincere', (text) => {
    for (const [, meaning] of meanings(text)) expect(meaning).toBe('affirmed')
  })
  it.each([
    ["i'm ready to die", 'affirmed'],
    ['just got a 5am shift kms', 'trivial cause'],
  ])('“%s” is %s', (text, meaning) => {
    expect(meanings(text).map(([, each]) => each)).toContain(meaning)
  })
})

describe('the words of others', () => {
  it('are not adopted by a sentence that goes on', () => {
    expect(engine.assess(said('he told me to kill myself but i wont')).tier).toBe('caution')
  })
})

describe('a bare mention beside a first person', () => {
  it('is possibly meant, and never nobody’s', () => {
    const text = "suicide is what i've chosen, and i feel weirdly calm"
    expect(meanings(text)).toEqual([['suicidal_ideation', 'hypothetical']])
    expect(engine.assess(said(text)).tier).toBe('high')
  })
})

describe('another sentence', () => {
  it.each([
    ['i used to think it would get better. now i want to die', 'affirmed'],
    ['can you get expelled for suicidal thoughts? my friend thinks so', 'quoted'],
  ])('beside it leaves “%s” %s', (text, meaning) => {
    expect(meanings(text)).toEqual([['suicidal_ideation', meaning]])
  })
})

describe('what is quoted, past or said in jest', () => {
  it.each([
    ['i used to want to die and i am better now but again today', 'past'],
    ['i dont wanna wake up ever again pls let tonight be it', 'affirmed'],
    ['kms this math homework', 'trivial cause'],
    ['in the movie better off dead', 'quoted'],
    ['in the movie i am better off dead', 'affirmed'],
  ])('“%s” is %s', (text, meaning) => {
    expect(meanings(text).map(([, each]) => each)).toContain(meaning)
  })
})
