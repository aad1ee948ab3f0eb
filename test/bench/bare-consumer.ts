/** The bare loop others are measured against: as many receivers, each receives ten at a time and deletes. Prints events per second. */
import { SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'

const [queueUrl = '', endpoint = '', all = '0', receivers = '1'] = process.argv.slice(2)
const count = Number(all)
const sqs = new SQSClient({ endpoint, region: 'us-east-1', useQueueUrlAsEndpoint: false })
let done = 0
let began = 0
for (let receiver = 0; receiver < Number(receivers); receiver++) {
  const consumer = Consumer.create({
    sqs,
    queueUrl,
    batchSize: 10,
    waitTimeSeconds: 20,
    strictReturn: true,
    handleMessageBatch: (messages) => {
      began ||= performance.now()
      return Promise.resolve(messages)
    },
  })
  // Counted when they are deleted, as the console counts what it has committed.
  consumer.on('message_processed', () => {
    done += 1
    if (done < count) return
    process.stdout.write(`${(done / (performance.now() - began)) * 1000}\n`)
    process.exit(0)
  })
  consumer.start()
}
