import { describe, expect, it } from 'vitest'
import type { ConversationMessage } from '../../../../main/analysis/index.ts'
import { assess } from '../../../evaluation/engine.ts'
import type { RiskTier } from '../../../../shared/risk.ts'

/** Turns in order, the student's first letter `s`, the assistant's `a`. */
const turns = (...said: string[]): ConversationMessage[] =>
  said.map((line) => ({ role: line.startsWith('a:') ? 'assistant' : 'student', text: line.slice(2).trim() }))
const answered = (question: string, text: string) => assess(text, { recent: turns(`a: ${question}`) })
const after = (tier: RiskTier) => ({ previous: [{ tier, sentiment: 0, categories: [] }] })

const aboutSuicide = 'Are you thinking about ending your life?'

describe('the answer to a direct question', () => {
  it('about suicide, affirmed, is a crisis of the category that was asked about, on the whole answer', () => {
    const assessment = answered(aboutSuicide, 'sometimes')
    expect(assessment).toMatchObject({ tier: 'crisis', level: 'CRISIS', categories: ['suicidal_ideation'] })
    expect(assessment.matches).toEqual([
      { category: 'suicidal_ideation', confidence: 0.97, start: 0, end: 9, meaning: 'affirmed', signal: 'clinical' },
    ])
    expect(assessment.signals.clinical).toBe(0.97)
    expect(assessment.reasons).toContainEqual({
      signal: 'clinical',
      text: 'The student’s message is an answer to a direct question about suicide.',
    })
  })

  it('is said in a reason that quotes nobody', () => {
    expect(JSON.stringify(answered(aboutSuicide, 'zebra yes').reasons)).not.toMatch(/zebra|ending your life/)
  })

  it.each(['no', 'nah never', 'no lol', 'not like that', 'lol nah'])('raises nothing by a no: %s', (text) => {
    expect(answered(aboutSuicide, text)).toEqual(assess(text))
  })

  it('lowers nothing that was said in plain words by a no', () => {
    expect(answered(aboutSuicide, 'no but i want to kill myself').tier).toBe('crisis')
  })

  it.each([
    ['idk', 'high'],
    ['i dont want to say', 'high'],
    ['…', 'caution'],
    ['i keep walking past that corner', 'caution'],
    ['better', 'caution'],
  ] as const)('that is neither is no “no”: %s', (text, tier) => expect(answered(aboutSuicide, text).tier).toBe(tier))

  it.each(['i meant the game', 'its minecraft', 'trampoline park'])(
    'leaves a misreading set right alone: %s',
    (text) => {
      expect(answered(aboutSuicide, text).tier).toBe('ok')
    },
  )

  it.each([
    ['You want to die. Have you thought about when?', 'tonight'],
    ['You want to die. Where would you go?', 'the usual spot'],
    ['Is that when you would hurt yourself?', 'thats the idea'],
  ])('names a plan: %s', (question, text) => {
    expect(answered(question, text)).toMatchObject({ tier: 'crisis', categories: ['suicidal_intent'] })
  })

  it.each([
    ['Have you been hurting yourself?', 'yeah', 'self_harm'],
    ['Are you thinking of hurting someone?', 'maybe', 'harm_to_others'],
    ['Does anyone at home hit you?', 'my dad', 'abuse_disclosure'],
  ])('about another danger is high: %s', (question, text, category) => {
    expect(answered(question, text)).toMatchObject({ tier: 'high', categories: [category] })
  })

  it('about somebody else is high, flagged, and no crisis of the student’s own', () => {
    expect(answered('Is someone in danger of dying by suicide?', 'yes')).toMatchObject({ tier: 'high', about_other: true }) // prettier-ignore
    expect(answered('Is he going to die?', 'idk').tier).toBe('ok')
  })

  it('chooses between what was offered', () => {
    const either = 'Do you mean this school, or do you mean being alive?'
    expect(answered(either, 'the first one').tier).toBe('ok')
    expect(answered(either, 'the second one').tier).toBe('crisis')
    expect(answered(either, 'both').tier).toBe('crisis')
    expect(answered(either, 'yeah').tier).toBe('high')
  })

  it('is worth a look where it names, asked when or where, what no list foresees', () => {
    for (const text of ['after church', 'the old grain elevator'])
      expect(answered('You spoke of ending your life. Do you know where or when it would be?', text).tier).not.toBe(
        'ok',
      )
    expect(answered('Are you saying that you want to end your life?', 'trampoline park').tier).toBe('ok')
  })

  it('is heard where no phrase knows the question, and agreeing to it would be grave in the student’s own words', () => {
    for (const question of [
      'Are you going to put a bullet in your head?',
      'Did you swallow every pill in the house?',
    ]) {
      expect(answered(question, 'yeah')).toMatchObject({ tier: 'high', categories: ['suicidal_ideation'] })
      expect(answered(question, 'no').tier).toBe('ok')
    }
    expect(answered('Are you going to put a poster over your bed?', 'yeah').tier).toBe('ok')
  })

  it('that chooses what is no danger is left alone', () => {
    const question = 'Are you planning to end your life, or are you breaking up?'
    const after = { previous: [{ tier: 'high' as const, sentiment: 0, categories: [] }] }
    const recent = turns('s: i am ending it with tyler tonight', `a: ${question}`)
    expect(assess('the second one', { recent, ...after }).tier).toBe('ok')
    expect(assess('the first one', { recent, ...after }).tier).toBe('crisis')
  })

  it('is a no, however it is softened', () => {
    expect(answered(aboutSuicide, 'not really, no').tier).toBe('ok')
    expect(answered(aboutSuicide, 'not not').tier).toBe('crisis')
  })

  it('worries by a no to what was agreed to keep the student safe', () => {
    const agreed = 'We agreed you would call your aunt before you did anything to yourself. Will you call her?'
    expect(answered(agreed, 'no').tier).toBe('high')
    expect(answered(agreed, 'yes').tier).toBe('ok')
  })

  it('worries by a no where safety was asked about, and not by a yes', () => {
    expect(answered('Can you keep yourself safe until she is home?', 'not really').tier).toBe('high')
    expect(answered('Can you keep yourself safe until she is home?', 'yes').tier).toBe('ok')
  })

  it('to an offer says nothing of a danger', () => {
    expect(answered('You told me about suicide. Do you want me to call somebody?', 'yes').tier).toBe('ok')
  })

  it('is heard over one more message of the student’s, and no further', () => {
    const ask = `a: ${aboutSuicide}`
    expect(assess('yeah', { recent: turns(ask, 's: um') }).tier).toBe('crisis')
    expect(assess('yeah', { recent: turns(ask, 's: um', 's: well') }).tier).toBe('ok')
  })

  it.each(['sí', 'a veces', 'un poco', 'todas las noches'])('is read in Spanish: %s', (text) => {
    expect(answered('¿Estás pensando en suicidarte?', text).tier).toBe('crisis')
  })
})

describe('an answer in a word', () => {
  it('that is a number tells how many, and one that says nothing leaves it open', () => {
    const many = turns('s: i took something', 'a: How many pills did you take?')
    expect(assess('17', { recent: many }).tier).not.toBe('ok')
    const asked = turns('s: hi', 'a: Are you thinking about killing yourself?')
    expect(assess('it was', { recent: asked }).tier).not.toBe('ok')
    expect(assess('it was the', { recent: turns('s: hi', 'a: How was the game?') }).tier).toBe('ok')
  })
})

describe('a fragment', () => {
  it.each([
    ['i used to be scared of the tracks when i was little', 'And when you stand there, what do you feel?', 'relieved'],
    ['im thinking of taking a break from all of it', 'Do you mean for good?', 'yeah like forever'],
    ['my dads pills are in my backpack', 'Are you carrying them to him, or are they for you?', 'for me'],
  ])('is read with what was said before it: %s', (said, question, text) => {
    const { tier, reasons } = assess(text, { recent: turns(`s: ${said}`, `a: ${question}`) })
    expect(tier).not.toBe('ok')
    expect(reasons).toContainEqual({ signal: 'clinical', text: 'Read with what was said before it.' })
  }) // prettier-ignore

  it.each([
    ['my aunt is visiting from lagos', 'Is she staying long?', 'nah like forever'],
    ['should i take stats or precalc', 'Which do you lean toward?', 'the second one'],
    ['is the rehearsal tonight or saturday', 'Which can you come to?', 'tonight'],
  ])('after harmless turns stays what it was: %s', (said, question, text) => {
    expect(assess(text, { recent: turns(`s: ${said}`, `a: ${question}`) })).toEqual(assess(text))
  })

  it('goes on from the student’s own message before it', () => {
    expect(assess('right now', { recent: turns('s: i want to die') }).tier).toBe('caution')
  })

  it('takes no more than caution from the message before, so that no chain goes on for ever', () => {
    const recent = turns('s: its complicated', 'a: Do you mean it?')
    expect(assess('the same', { recent, ...after('crisis') }).tier).toBe('caution')
    expect(assess('the same', { recent, ...after('high') }).tier).toBe('caution')
    expect(assess('the same', { recent, ...after('caution') }).tier).toBe('ok')
  })

  it('that answers when or where after a crisis names a plan, whatever it names', () => {
    const recent = turns('s: its decided', 'a: Which day did you choose?')
    expect(assess('thursday', { recent, ...after('crisis') }).tier).toBe('crisis')
    expect(assess('purple elephants', { recent, ...after('high') }).tier).toBe('high')
    expect(assess('purple elephants', { recent, ...after('ok') }).tier).toBe('ok')
  })

  it('turned down is left alone, but where “no” is the worrying answer', () => {
    const would = turns('s: where im going they dont have outlets', 'a: Is there someone who would try to stop you?')
    expect(assess('not really', { recent: would, ...after('crisis') }).tier).toBe('caution')
    expect(assess('not really', { recent: turns('s: its complicated', 'a: Is it school?'), ...after('crisis') }).tier).toBe('ok') // prettier-ignore
  })

  it('says that the one who was spoken of is the student', () => {
    const recent = turns('s: ok so hypothetically a guy doesnt want to wake up anymore', 'a: Is that guy you?')
    expect(assess('maybe', { recent, ...after('high') }).tier).toBe('crisis')
    expect(assess('no', { recent, ...after('high') }).tier).toBe('ok')
    expect(assess('yes', { recent: turns('s: i saw someone', 'a: Is that person you?') }).tier).toBe('ok')
  })

  it('is about what the assistant has understood instead', () => {
    const recent = turns('s: saving up pills', 'a: I see, so it is in a game. Is it only in the game?')
    expect(assess('pretty much', { recent, ...after('crisis') }).tier).toBe('ok')
  })

  it('is short: what tells its own story is not joined to what was before', () => {
    const story = 'we went to the aquarium with the whole class and saw the otters and then ate lunch by the big tank'
    expect(assess(story, { recent: turns('s: my dads pills are in my backpack'), ...after('crisis') }).tier).toBe('ok')
  })
})
