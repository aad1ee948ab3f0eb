/** An SQS- and SNS-compatible server as a process of its own; prints its port, ends with its standard input. */
import { startFauxqs } from 'fauxqs'

const [port = '0', dataDir] = process.argv.slice(2)
const server = await startFauxqs({ port: Number(port), logger: false, ...(dataDir && { dataDir }) })
process.stdout.write(`${server.port}\n`)
process.stdin.resume().on('end', () => process.exit(0))
