import Database from 'better-sqlite3'

// To choose its binary the library asks Node for a report of the process, in which Node by default looks up the
// name of every address a socket is bound to: a tenth of a second, and far more where no name server answers.
Object.assign(process.report, { excludeNetwork: true })

export default Database
