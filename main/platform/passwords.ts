/** Passwords of local accounts: kept as scrypt with its parameters, compared in constant time. */
import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Randomness } from './ports.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** scrypt cost (RFC 7914): about 0.3 s and 128 MiB here; stored, so that it can grow. */
export const passwordCost = { N: 2 ** 17, r: 8, p: 1 }
export type PasswordCost = typeof passwordCost

const keptSchema = z.object({
  kdf: z.literal('scrypt'),
  N: z.int().positive(),
  r: z.int().positive(),
  p: z.int().positive(),
  salt: z.base64(),
  hash: z.base64(),
})

/** What is kept of a password, as text. */
export async function keepPassword(password: string, randomness: Randomness, cost = passwordCost): Promise<string> {
  const salt = randomness.bytes(16)
  const hash = await hashOf(password, salt, cost)
  return JSON.stringify({ kdf: 'scrypt', ...cost, salt: salt.toString('base64'), hash: hash.toString('base64') })
}

/** Whether this is the password that `kept` was made of. Throws where `kept` is damaged. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const { salt, hash, ...cost } = keptSchema.parse(JSON.parse(kept))
  const expected = Buffer.from(hash, 'base64')
  return timingSafeEqual(await hashOf(password, Buffer.from(salt, 'base64'), cost), expected)
}

function hashOf(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r })
}

/** Letters and digits that nobody takes for one another. */
const plain = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A password for one sign-in, in groups that can be read aloud: 79 random bits. */
export function oneTimePassword(randomness: Randomness): string {
  const letters: string[] = []
  while (letters.length < 16) {
    const [byte = 0] = randomness.bytes(1)
    // Bytes beyond the last whole round would make some letters likelier.
    if (byte < 256 - (256 % plain.length)) letters.push(plain[byte % plain.length]!)
  }
  return [0, 4, 8, 12].map((start) => letters.slice(start, start + 4).join('')).join('-')
}
