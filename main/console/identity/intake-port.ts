import { readSetting, writeSetting, type Database } from '../../store/console/index.ts'

const intakePort = 'intake_port'

/** Where the chat finds a desk: kept, as it is written into the chat's settings; 0 before the first start. */
export function keptIntakePort(db: Database): number {
  return Number(readSetting(db, intakePort) ?? '0')
}

export function keepIntakePort(db: Database, port: number): void {
  writeSetting(db, intakePort, String(port))
}
