/** What a match means in its context: negation, experiencer, temporality, quotation, figurative language. */
export { hasFirstPerson, hasI, namesThirdPerson, subjectBefore } from './clause.ts'
export { hasImpersonalCause } from './figurative.ts'
export { fullConfidence, interpret, type InterpretedMatch } from './interpret.ts'
export { collectCues, wordClassesOf, type MessageContext } from './message-context.ts'
