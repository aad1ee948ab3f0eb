/** How people are told away from their console: what a message may hold, to whom it goes, and what became of it. */
import type { Channel } from '../../../shared/on-call.ts'
import type { PatternCategory } from '../../../shared/risk.ts'

/** Ways that lead away from the consoles. */
export type OutsideChannel = Exclude<Channel, 'desktop'>

/** What somebody is told. There is no room in it for a name, a pseudonym or a word that anybody has said. */
export interface Message {
  /**
   * What it is about: an alert of the ladder; several of one minute together; an alert handed to this person; the
   * alarm itself failing; a test.
   */
  kind: 'alert' | 'several' | 'hand off' | 'alarm failing' | 'test'
  /** Of the alert, or the most urgent of several; null = it is about none. */
  tier: 'high' | 'crisis' | null
  categories: readonly PatternCategory[]
  /** Alerts of which it speaks. */
  count: number
  /** Milliseconds after it was due, or after it was said where it came late to the station; 0 = on time. */
  late_ms: number
  /** Address of a console, which names nobody. */
  link: string | null
  /** Number by which the person may answer that they have it; null = they cannot answer. */
  reply: number | null
}

/** Somebody of the directory, and how they are reached; null = not that way. */
export interface Address {
  /** Person id. */
  person: string
  name: string
  /** Telephone numbers as in E.164. */
  sms: string | null
  voice: string | null
  email: string | null
}

/** What became of a message. `reference`: what the provider calls it. `code`: why it failed, and never an address. */
export type Outcome = { outcome: 'delivered'; reference: string | null } | { outcome: 'failed'; code: string }

export interface Channels {
  /** Ways that this station can use: those that somebody has configured. */
  available(): OutsideChannel[]
  /**
   * Tells one person in one way. Never rejects, and takes 10 s at most. The same `delivery_id` sent twice is told once
   * where the provider can tell.
   */
  send(channel: OutsideChannel, to: Address, message: Message, deliveryId: string): Promise<Outcome>
}
