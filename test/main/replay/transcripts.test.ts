import { expect, it } from 'vitest'
import { readTranscripts } from '../../../main/replay/index.ts'

async function read(...lines: string[]) {
  const rows = []
  for await (const row of readTranscripts(lines)) rows.push(row)
  return rows
}

const turn = { role: 'student', text: 'hello', at: '2026-01-20T10:15:00' }

it('reads sessions with times of either form, passing over blank lines', async () => {
  const row = { session_id: 's', student: 'a', turns: [turn, { role: 'assistant', text: 'hi', at: 1_768_904_101_000 }] }
  expect(await read('', JSON.stringify(row), '  ')).toEqual([
    {
      transcript: {
        session_id: 's',
        student: 'a',
        turns: [
          { sender: 'user', text: 'hello', at: Date.UTC(2026, 0, 20, 10, 15) },
          { sender: 'assistant', text: 'hi', at: 1_768_904_101_000 },
        ],
      },
    },
  ])
})

it('names a bad line by number and fault, never by its text', async () => {
  const secret = 'xx-words-of-a-student-xx'
  const bad = await read(
    `{"session_id": "${secret}`,
    JSON.stringify({ session_id: 's', student: '', turns: [turn] }),
    '',
    JSON.stringify({ session_id: 's', student: 'a', turns: [{ ...turn, role: secret }] }),
    JSON.stringify({ session_id: 's', student: 'a', turns: [{ ...turn, at: secret }] }),
    JSON.stringify({ session_id: 's', student: 'a', turns: [] }),
    JSON.stringify(secret),
  )
  expect(bad.map((row) => 'bad' in row && row.bad.line)).toEqual([1, 2, 4, 5, 6, 7])
  expect(bad.map((row) => 'bad' in row && row.bad.problem.split(':')[0])).toEqual([
    'is not JSON',
    'student',
    'turns.0.role',
    'turns.0.at',
    'turns',
    'the line',
  ])
  expect(JSON.stringify(bad)).not.toContain(secret)
})
