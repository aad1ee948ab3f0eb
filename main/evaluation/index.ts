/** Evaluation of the risk engine on labelled data. */
export {
  calibrate,
  calibrateMargin,
  classifyHeldOut,
  constructsOf,
  curvesOf,
  examplesOf,
  fit,
  fitMarkers,
  fitWeights,
  knownSentencesOf,
  marginsHeldOut,
  modelFilesOf,
  neighborFilesOf,
  readTrainingTexts,
  signalExamplesOf,
  untrainedMarkerFiles,
  untrainedModelFiles,
  writersOf,
  type TrainingFolders,
} from './fit/index.ts'
export { printCost, weeklyCost } from './cost.ts'
export { measureMarkers } from './marker-targets.ts'
export { printReport, printWorst } from './print.ts'
export { printReliability, reliabilityOf } from './reliability.ts'
export { htmlReport } from './report.ts'
export { readRows, RowError } from './rows.ts'
export { assessRows, inputOf, reportOf, worstOf } from './run.ts'
export { measure, printSuite, type SuiteRow } from './suite.ts'
export { leftOutRows, targetsOf } from './targets.ts'
