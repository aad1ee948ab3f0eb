export { startSender, toQueue, toTopic, type Sender, type Sending } from './sender.ts'
