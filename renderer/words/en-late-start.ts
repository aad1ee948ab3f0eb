/** Words of what came while the console was off. */
import { plural } from '../../shared/numbers.ts'
import { ladder } from './en-ladder.ts'

const never = (count: number) =>
  plural(count, { one: '# was never acknowledged by anyone', other: '# were never acknowledged by anyone' })

export const lateStart = {
  title: 'While this console was off',
  arrived: (count: number, unacknowledged: number) =>
    `${plural(count, { one: '# alert arrived', other: '# alerts arrived' })} while this console was off; ${never(unacknowledged)}.`,
  off: (from: string, until: string) => `It was off from ${from} to ${until}.`,
  how: (count: number) =>
    plural(count, {
      one: 'One is open.',
      other: 'The # that are open come one by one, crises first, the one that has waited longest before the others.',
    }),
  noneOpen: 'All of them are held or resolved by now.',
  begin: 'Go through them',
  see: 'See what became of them',
  receiving: 'Still receiving what waited in the queue. What comes is added.',
  nothing: 'There is nothing left to go through.',
  position: (at: number, of: number) => `${at} of ${of}`,
  never: 'Nobody has acknowledged it.',
  nobodyHolds: 'Nobody holds it.',
  told: 'Who was told',
  toldOne: (name: string | null, at: string, channel: string, outcome: 'attempted' | 'delivered' | 'failed') => {
    const told = `${name ?? 'Someone not known here'}, ${at}, ${ladder.channel[channel] ?? `by ${channel}`}`
    if (outcome === 'failed') return `${told}: it did not get through`
    return outcome === 'attempted' ? `${told}: not confirmed` : told
  },
  nobodyTold: 'This console knows of no one who was told.',
  way: 'Going through',
  next: 'Next',
  open: 'Open',
  previous: 'Previous',
  all: 'That was all.',
  more: (count: number) => plural(count, { one: 'One more has come.', other: '# more have come.' }),
  outcome: ({ mine, others, resolved, open }: Record<'mine' | 'others' | 'resolved' | 'open', number>) => {
    const parts = [
      mine > 0 && plural(mine, { one: '# is yours', other: '# are yours' }),
      others > 0 && plural(others, { one: '# is held by someone else', other: '# are held by others' }),
      resolved > 0 && plural(resolved, { one: '# is resolved', other: '# are resolved' }),
      open > 0 && plural(open, { one: '# still waits for someone', other: '# still wait for someone' }),
    ].filter((part) => part !== false)
    return `${parts.join(', ')}.`
  },
  others: 'Held or resolved by others',
  done: 'Done',
  strip: (count: number) =>
    plural(count, {
      one: '# alert arrived while this console was off',
      other: '# alerts arrived while this console was off',
    }),
  stripAction: 'Go through',
}
