/**
 * The bare loop that a desk is measured against: receives ten at a time, deletes, and adds a line to a page for each
 * event, without keeping, checking or deciding anything. Prints its address.
 */
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createServer, type ServerResponse } from 'node:http'

const [QueueUrl = '', endpoint = ''] = process.argv.slice(2)
const sqs = new SQSClient({ endpoint, region: 'us-east-1', useQueueUrlAsEndpoint: false })
const html = `<!doctype html><title>Bare</title><ul></ul><script>
  new EventSource('/events').onmessage = ({ data }) => {
    const row = document.createElement('li')
    row.dataset.alert = ''
    row.textContent = 'Student ' + data
    document.querySelector('ul').prepend(row)
  }
</script>`
const pages: ServerResponse[] = []
const server = createServer((request, response) => {
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.flushHeaders()
    pages.push(response)
  } else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  process.stdout.write(`http://127.0.0.1:${address.port}/\n`)
})
for (;;) {
  const received = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }))
  const messages = received.Messages ?? []
  for (const { Body = '{}' } of messages) {
    const event = JSON.parse((JSON.parse(Body) as { Message: string }).Message) as { student_hash: string }
    for (const page of pages) page.write(`data: ${event.student_hash.slice(0, 4).toUpperCase()}\n\n`)
  }
  const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
  if (Entries.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
}
