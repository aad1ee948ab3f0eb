/** Evaluation of the risk engine on labelled data. */
export {
  calibrate,
  calibrateMargin,
  classifyHeldOut,
  curvesOf,
  examplesOf,
  fit,
  fitWeights,
  knownSentencesOf,
  marginsHeldOut,
  modelFilesOf,
  neighborFilesOf,
  readTrainingTexts,
  signalExamplesOf,
  untrainedModelFiles,
  writersOf,
  type TrainingFolders,
} from './fit/index.ts'
export { printReport, printWorst } from './print.ts'
export { htmlReport } from './report.ts'
export { readRows, RowError } from './rows.ts'
export { assessRows, reportOf, worstOf } from './run.ts'
export { measure, printSuite } from './suite.ts'
export { targetsOf } from './targets.ts'
