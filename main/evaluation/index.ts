/** Evaluation of the risk engine on labelled data. */
export { calibrate, constructsOf, classifyHeldOut, curvesOf, examplesOf, fit, fitMarkers, modelFilesOf, readTrainingTexts, untrainedMarkerFiles, untrainedModelFiles, writersOf, type TrainingFolders } from './fit/index.ts' // prettier-ignore
export { measureMarkers } from './marker-targets.ts'
export { printReport, printWorst } from './print.ts'
export { htmlReport } from './report.ts'
export { readRows, RowError } from './rows.ts'
export { assessRows, reportOf, worstOf } from './run.ts'
export { measure, printSuite } from './suite.ts'
export { targetsOf } from './targets.ts'
