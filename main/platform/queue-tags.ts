/** What consoles write on their queue to be seen by each other, and by a station that would take it for its own: one tag each. */
import { ListQueueTagsCommand, TagQueueCommand, UntagQueueCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { seconds } from '../../shared/time.ts'

const prefix = 'psyflo-console:'
/** A start waits for these answers, so that they are not waited for long, retries included. */
const patience = seconds(4)
/** What AWS takes in a tag beside letters and digits. */
const notInTags = /[^\p{L}\p{N}_.:/=+\-@ ]/gu
const longestName = 60

/** A console as its tag shows it. */
export interface TaggedConsole {
  consoleId: string
  /** As it stands in the tag: its console is alive where it changes. Never compared with a clock. */
  value: string
  /** Chosen anew at each start. Empty where an older version wrote it. */
  nonce: string
  /** It is still finding out whether it may receive. */
  claiming: boolean
  /** Name of its computer; empty where an older version wrote it. */
  computer: string
}

/** What a console says of itself. */
export interface Showing {
  nonce: string
  /** Counts up at every writing. */
  number: number
  claiming: boolean
  computer: string
}

export interface QueueTags {
  /** The consoles that have shown themselves. Throws what SQS answers where tags may not be read. */
  read(): Promise<TaggedConsole[]>
  write(consoleId: string, showing: Showing): Promise<void>
  remove(consoleIds: readonly string[]): Promise<void>
}

/** The tags of one queue. */
export function tagsOf(sqs: SQSClient, queueUrl: string): QueueTags {
  const options = () => ({ abortSignal: AbortSignal.timeout(patience) })
  return {
    async read() {
      const { Tags = {} } = await sqs.send(new ListQueueTagsCommand({ QueueUrl: queueUrl }), options())
      return Object.entries(Tags)
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => ({ consoleId: key.slice(prefix.length), value, ...parse(value) }))
    },
    async write(consoleId, showing) {
      const Tags = { [prefix + consoleId]: format(showing) }
      await sqs.send(new TagQueueCommand({ QueueUrl: queueUrl, Tags }), options())
    },
    async remove(consoleIds) {
      if (consoleIds.length === 0) return
      const TagKeys = consoleIds.map((id) => prefix + id)
      await sqs.send(new UntagQueueCommand({ QueueUrl: queueUrl, TagKeys }), options())
    },
  }
}

function format({ nonce, number, claiming, computer }: Showing): string {
  const name = computer.replace(notInTags, ' ').trim().slice(0, longestName)
  return `${claiming ? 'claiming' : 'receiving'} ${nonce} ${number} ${name}`.trim()
}

/** Whatever does not look like ours was written by an older version, which shows only consoles that receive. */
function parse(value: string): Pick<TaggedConsole, 'nonce' | 'claiming' | 'computer'> {
  const [, what, nonce = '', computer = ''] = /^(claiming|receiving) ([0-9a-f]+) \d+(?: (.*))?$/.exec(value) ?? []
  return { nonce, claiming: what === 'claiming', computer }
}
