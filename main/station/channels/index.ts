/** How people are told away from their console. */
export { createChannels, type ChannelsOptions } from './channels.ts'
export type { Address, Channels, Message, Outcome, OutsideChannel } from './message.ts'
export { smsBySns, type SmsAccess } from './sms.ts'
