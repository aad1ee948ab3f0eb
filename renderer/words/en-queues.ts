/** Words of a queue that answers, and that some alerts leave by another way; in the strip and under Settings. */
import { plural } from '../../shared/numbers.ts'

export const queues = {
  /** `computer`: '' = not known. */
  shared: (computer: string) =>
    `Another console${computer === '' ? '' : ` (${computer})`} receives from this console’s queue: each gets only some of the alerts. Stop the other one, or give it a queue of its own.`,
  suspected:
    'Messages from the school’s chat are going missing: another console may be receiving from this console’s queue.',
  stuck: (count: number) =>
    plural(count, {
      one: '# message is in the dead-letter queue and cannot be brought back. It may be an alert.',
      other: '# messages are in the dead-letter queue and cannot be brought back. There may be alerts among them.',
    }),
  open: 'Queues & connection',
  deadLetters: {
    title: 'Dead letters',
    about:
      'A message that was received too often without being stored is put aside in the dead-letter queue. This console looks there every minute and brings everything back: alerts appear here as if they had just come, and say how late they are.',
    none: 'The events queue has no dead-letter queue: no message is put aside.',
    unknown: 'Not asked yet.',
    waiting: (count: number | null) =>
      count === null
        ? 'How many messages are in it is unknown.'
        : plural(count, { one: '# message in the dead-letter queue', other: '# messages in the dead-letter queue' }),
    queue: 'Dead-letter queue',
    receives: 'Put aside after',
    times: (count: number) => plural(count, { one: '# receive', other: '# receives' }),
    brought: 'Brought back since the start',
    ofOthers: (count: number) =>
      plural(count, {
        one: '# of them came from another queue and is left to its console. Give each console’s queue a dead-letter queue of its own.',
        other:
          '# of them came from other queues and are left to their consoles. Give each console’s queue a dead-letter queue of its own.',
      }),
    bringBack: 'Bring them back',
    look: 'Look now',
    bringing: 'Bringing back…',
    broughtNow: (count: number) =>
      plural(count, { one: '# message was brought back.', other: '# messages were brought back.' }),
  },
}
