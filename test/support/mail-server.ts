/** A real mail server on loopback, which keeps what it is given. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { EmailAccess } from '../../main/platform/channel-access.ts'

interface Mail {
  to: string[]
  /** Header and body as they came, CRLF as LF. */
  source: string
}

export async function mailServer(options: SMTPServerOptions = {}) {
  const mails: Mail[] = []
  const signedIn: string[] = []
  const refusals: { code: number; words: string }[] = []
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username = '', password }, _session, done) {
      if (password !== 'right password') return done(new Error('wrong password'))
      signedIn.push(username)
      done(null, { user: username })
    },
    onRcptTo(_address, _session, done) {
      const refusal = refusals.shift()
      done(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.code }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString('utf8').replaceAll('\r\n', '\n')
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', () => listening()))
  const { port } = server.server.address() as AddressInfo
  const access: EmailAccess = {
    host: '127.0.0.1',
    port,
    tls: 'none',
    user: null,
    password: null,
    from: 'alarm@school.example',
  }
  return {
    mails,
    signedIn,
    access,
    /** The next recipients are refused so, one after the other. */
    refuses: (...next: { code: number; words: string }[]) => void refusals.push(...next),
    stop: () => new Promise<void>((closed) => void server.close(() => closed())),
  }
}
export type MailServer = Awaited<ReturnType<typeof mailServer>>
