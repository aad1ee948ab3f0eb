/** How a message is meant as a whole, by a fitted classifier. */
export { createIntentClassifier, type IntentClassifier } from './classifier.ts'
export { detectIntents, type ClassifiedMessage } from './detect.ts'
export { createFeatureExtractor } from './extractor.ts'
export { createStemmer, eachFeatureAt, hashTokens, longestReach, type Stemmer, type TokenHashes } from './features.ts'
export { lengthOf, type MessageLength } from './passages.ts'
export { reinterpret } from './reinterpret.ts'
export { dangerToLife, leastTokens, logOdds, readerProbability } from './probability.ts'
