import type { Logger } from '../../main/platform/ports.ts'

/** A logger for parts whose diagnostics a test does not look at. */
export const silentLogger: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
