/** How people are told away from their console. */
export { openChannels, type ChannelsOptions, type OpenedChannels } from './channels.ts'
export type { Address, Channels, Message, Outcome, OutsideChannel } from './message.ts'
export { reachMail, reachSms, reachWebhook } from './reach.ts'
export { answerOf, type Answered } from './words.ts'
