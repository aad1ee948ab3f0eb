/** Evaluation of the risk engine on labelled data. */
export { figuresOf, percentile, wilson, type ByThreshold, type Figures, type Outcome } from './figures.ts'
export { calibrate, classifyHeldOut, curvesOf, examplesOf, fit, modelFilesOf, readTrainingTexts, untrainedModelFiles, writersOf, type TrainingFolders } from './fit/index.ts' // prettier-ignore
export { printReport, printWorst } from './print.ts'
export { htmlReport } from './report.ts'
export { readRows, RowError, type Row } from './rows.ts'
export { assessRows, reportOf, worstOf, type EvaluationReport } from './run.ts'
export { measure, printSuite, type TargetResult } from './suite.ts'
export { targetsOf } from './targets.ts'
