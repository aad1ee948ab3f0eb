/** Item markers of the PHQ-9 and the GAD-7: from phrases, from a fitted reader, and from what a message was found to be. */
export { createMarkerExtractor } from './extractor.ts'
export { findMarkers } from './find-markers.ts'
export { withImpliedMarkers } from './implied.ts'
export { createMarkerReader, type MarkerReader } from './reader.ts'
