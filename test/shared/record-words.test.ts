import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidenceKey } from '../../main/platform/envelope.ts'
import { openWords, sealWords, wordsPurpose } from '../../shared/record-words.ts'
import { safetyPlanHeadings } from '../../shared/student-records.ts'

const ours = evidenceKey(Buffer.alloc(32, 1))
/** A colleague's console was given the same key; another school's was not. */
const colleagues = evidenceKey(Buffer.alloc(32, 1))
const others = evidenceKey(Buffer.alloc(32, 2))
const of = { school_id: 'school', student_hash: 'a'.repeat(64), ack_id: 'record', by: 'marlow' }
const words = {
  note: 'Spoke to father.',
  next_action: 'Call',
  reason: 'Moved away.',
  title: 'Call a guardian',
  who: 'Aunt',
}
const sealed = () => sealWords({ ...of, action: 'noted', due_at: 5, ...words }, ours, of)

describe('the words of a record', () => {
  it('are opened by a colleague as they were written', () => {
    expect(openWords(sealed(), colleagues)).toEqual({ ...of, action: 'noted', due_at: 5, ...words })
  })

  it('stand nowhere beside the envelope, and everything else does', () => {
    const record = sealed()
    expect(Object.keys(record).sort()).toEqual([...Object.keys(of), 'action', 'due_at', 'sealed'].sort())
    for (const text of Object.values(words)) expect(JSON.stringify(record)).not.toContain(text)
  })

  it('are any text, and a safety plan', () => {
    const section = fc.string({ unit: 'binary', maxLength: 200 })
    const plan = fc.record(Object.fromEntries(safetyPlanHeadings.map((heading) => [heading, section])))
    const text = fc.option(section, { nil: undefined })
    fc.assert(
      fc.property(fc.record({ note: text, next_action: text, sections: plan }), (said) => {
        const read = openWords(sealWords({ ...of, ...said }, ours, of), colleagues)
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify({ ...of, ...said })))
      }),
      { numRuns: 50 },
    )
  })

  it('stay sealed for another school’s key, for any other record, and for another author', () => {
    const record = sealed()
    expect(openWords(record, others)).toBe(record)
    for (const change of [
      { ack_id: 'other' },
      { by: 'osei' },
      { student_hash: 'b'.repeat(64) },
      { school_id: 'elsewhere' },
      { school_id: undefined },
    ]) {
      const moved = { ...record, ...change }
      expect(openWords(moved, colleagues)).toBe(moved)
    }
  })

  it('stay sealed where the envelope was changed, or holds no words', () => {
    const record = sealed()
    const changed = { ...record, sealed: { ...record.sealed!, ciphertext: 'AAAA' } }
    expect(openWords(changed, colleagues)).toBe(changed)
    for (const text of ['no JSON', '5', '{"note":5}', JSON.stringify({ note: 'a'.repeat(20_001) })]) {
      const odd = { ...of, sealed: ours.seal(text, wordsPurpose(of)) }
      expect(openWords(odd, colleagues)).toBe(odd)
    }
  })

  it('bring nothing but words: who, when and what was done stand outside', () => {
    const text = JSON.stringify({ note: 'Spoke.', by: 'osei', position: 1, action: 'resolved' })
    expect(openWords({ ...of, sealed: ours.seal(text, wordsPurpose(of)) }, colleagues)).toEqual({
      ...of,
      note: 'Spoke.',
    })
  })

  it('that stay in the clear are those that were named', () => {
    const record = sealWords({ ...of, ...words }, ours, of, ['next_action'])
    expect(record).toMatchObject({ next_action: 'Call' })
    expect(JSON.stringify(record)).not.toContain('father')
    expect(openWords(record, colleagues)).toEqual({ ...of, ...words })
  })

  it('where there are none need no envelope', () => {
    expect(sealWords({ ...of, note: undefined }, ours, of)).not.toHaveProperty('sealed')
    expect(sealWords({ ...of, next_action: 'Call' }, ours, of, ['next_action'])).not.toHaveProperty('sealed')
  })
})
