import type { StationStore, Unit } from '../../store/station/index.ts'

/** One unit of work with the rights of a school; what names no school ('') is the station's own. */
export function inSchool<T>(store: StationStore, schoolId: string, work: (unit: Unit) => Promise<T>): Promise<T> {
  return schoolId === '' ? store.asStation(work) : store.asSchool(schoolId, work)
}
