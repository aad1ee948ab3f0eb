/** By what a station reaches people away from their console, as it is configured. */
import type { AwsAccess } from './aws.ts'

export interface SmsAccess extends AwsAccess {
  /** The name under which texts arrive, where the country allows one; null = a number of the provider’s. */
  sender: string | null
}

export interface WebhookAccess {
  /** https, or of this machine. */
  url: string
  /** Signs what is sent there, and verifies what comes from there. */
  secret: string
}

export interface EmailAccess {
  host: string
  port: number
  /** `always`: from the first byte. `starttls`: once connected, or nothing is sent. `none`: of this machine only. */
  tls: 'always' | 'starttls' | 'none'
  user: string | null
  password: string | null
  /** Address from which mails come. */
  from: string
}

/** Null = not configured. */
export interface ChannelAccess {
  sms: SmsAccess | null
  webhook: WebhookAccess | null
  email: EmailAccess | null
  /** The topic from which answers to texts come; null = none come that way. */
  answersTopicArn: string | null
  /** The page where people open their console, for links; null = messages hold none. */
  consoleUrl: string | null
}

/** Nobody is reached away from their console. */
export const noChannels: ChannelAccess = {
  sms: null,
  webhook: null,
  email: null,
  answersTopicArn: null,
  consoleUrl: null,
}
