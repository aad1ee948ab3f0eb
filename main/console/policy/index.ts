/** The directory and calendar of the school: kept at its station, known here, edited from here. */
export { createDirectory, type Directory } from './directory.ts'
export { contradictions, followed, type OwnSchool } from './followed.ts'
export { peopleListed } from './people-listed.ts'
export { guideOf } from './guide.ts'
export { stationHere, type PolicyService, type StationPolicy } from './service.ts'
export { stationByRest } from './station-by-rest.ts'
