/** A certificate that nobody else vouches for, as SNS signs with one: Node reads certificates and makes none. */
import { generateKeyPairSync, sign } from 'node:crypto'

/** One value of DER (X.690): its tag, its length and what it holds. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const held = Buffer.concat(parts)
  const { length } = held
  const lengths = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...lengths]), held])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const bits = (held: Buffer) => der(0x03, Buffer.from([0]), held)
const time = (written: string) => der(0x17, Buffer.from(written))

/** A new key and its certificate (PEM). */
export function selfSigned() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const sha256WithRsa = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
  const commonName = sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('sns.test')))
  const name = sequence(der(0x31, commonName))
  const toSign = sequence(
    der(0x02, Buffer.from([1])),
    sha256WithRsa,
    name,
    sequence(time('260101000000Z'), time('270101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signed = sequence(toSign, sha256WithRsa, bits(sign('sha256', toSign, privateKey)))
  const lines = signed
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')
  return { privateKey, pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}
