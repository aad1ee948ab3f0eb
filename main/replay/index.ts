/** A chat's side of the REST API: transcripts sent through a running intake. */
export { readTranscripts } from './transcripts.ts'
export { replay, type ReplayFigures } from './replay.ts'
