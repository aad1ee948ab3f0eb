/**
 * Where texts go instead of to telephones: a server on loopback that speaks the query protocol of Amazon SNS as far as
 * `Publish` to a telephone number and `GetSMSAttributes` need it. The queue server of the other tests sends no texts.
 */
import type { ServerResponse } from 'node:http'
import { httpServer } from './http-server.ts'

interface Refusal {
  status: number
  code: string
}

export interface Text {
  number: string
  text: string
  type: string | undefined
  sender: string | undefined
}

export async function textReceiver() {
  const texts: Text[] = []
  const refusals: Refusal[] = []
  const server = await httpServer((response) => {
    const asked = new URLSearchParams(server.asked.at(-1)?.body ?? '')
    const action = asked.get('Action') ?? ''
    const refusal = refusals.shift()
    if (refusal) return refuse(response, refusal)
    if (action === 'Publish') {
      const attributes = attributesIn(asked)
      texts.push({
        number: asked.get('PhoneNumber') ?? '',
        text: asked.get('Message') ?? '',
        type: attributes.get('AWS.SNS.SMS.SMSType'),
        sender: attributes.get('AWS.SNS.SMS.SenderID'),
      })
      return answer(response, action, `<MessageId>text-${texts.length}</MessageId>`)
    }
    return answer(response, action, '<attributes></attributes>')
  })
  return {
    texts,
    asked: server.asked,
    access: {
      region: 'us-east-1',
      endpoint: server.url,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      sender: null,
    },
    url: server.url,
    /** The next calls are refused so, one after the other. */
    refuses: (...next: Refusal[]) => void refusals.push(...next),
    stop: () => server.stop(),
  }
}
export type TextReceiver = Awaited<ReturnType<typeof textReceiver>>

function attributesIn(asked: URLSearchParams): Map<string, string> {
  const named = [...asked].flatMap(([key, name]) => {
    const entry = /^MessageAttributes\.entry\.(\d+)\.Name$/.exec(key)?.[1]
    const value = entry && asked.get(`MessageAttributes.entry.${entry}.Value.StringValue`)
    return value ? [[name, value] as const] : []
  })
  return new Map(named)
}

function answer(response: ServerResponse, action: string, result: string): void {
  const body = `<${action}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><${action}Result>${result}</${action}Result><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></${action}Response>`
  response.writeHead(200, { 'content-type': 'text/xml' }).end(body)
}

function refuse(response: ServerResponse, { status, code }: Refusal): void {
  const type = status < 500 ? 'Sender' : 'Receiver'
  const body = `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>${type}</Type><Code>${code}</Code><Message>No text to +15550142777: the words of the provider</Message></Error><RequestId>r</RequestId></ErrorResponse>`
  response.writeHead(status, { 'content-type': 'text/xml' }).end(body)
}
