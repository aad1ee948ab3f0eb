export { createPassing, type Passing } from './passing.ts'
export { startSender, toQueue, toTopic, type Sender, type Sending } from './sender.ts'
