/** What people answer to texts. */
export { createAnswers, type AnswersOptions } from './answers.ts'
export { inboundRoutes, type InboundRoutesOptions } from './inbound-routes.ts'
export { openSigning, type StationSigning } from './signing.ts'
