/** The bare loop others are measured against: receives ten at a time and deletes. Prints its events per second. */
import { SQSClient } from '@aws-sdk/client-sqs'
import { Consumer } from 'sqs-consumer'

const [queueUrl = '', endpoint = '', all = '0'] = process.argv.slice(2)
const count = Number(all)
const sqs = new SQSClient({ endpoint, region: 'us-east-1', useQueueUrlAsEndpoint: false })
let done = 0
let began = 0
const consumer = Consumer.create({
  sqs,
  queueUrl,
  batchSize: 10,
  waitTimeSeconds: 20,
  strictReturn: true,
  handleMessageBatch: (messages) => {
    began ||= performance.now()
    done += messages.length
    return Promise.resolve(messages)
  },
})
consumer.on('response_processed', () => {
  if (done < count) return
  process.stdout.write(`${(done / (performance.now() - began)) * 1000}\n`)
  process.exit(0)
})
consumer.start()
