/** Likeness to known sentences, by nearest neighbors. */
export { createNeighborIndex, type NeighborIndex } from './neighbors.ts'
export { createTextReader } from './text-reader.ts'
