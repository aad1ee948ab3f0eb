/** From signals to the decision. */
export { reachConsensus } from './consensus.ts'
export { floorOf, type FloorEvidence } from './floor.ts'
export { withOperatingPoint } from './operating-point.ts'
export { decidedOn, semanticReason, signalReasons } from './reasons.ts'
