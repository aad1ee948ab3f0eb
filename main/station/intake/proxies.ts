/** Who stands between a caller and this server, and whether the way there could be overheard. */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

const thisMachine = new BlockList()
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4')
thisMachine.addAddress('::1', 'ipv6')

/** Whether an address is on a list; IPv4 addresses written as IPv6 ones (`::ffff:10.0.0.7`) are the same. */
export function isListed(list: BlockList, address: string | undefined): boolean {
  const written = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(written)
  return family !== 0 && list.check(written, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether the other end of a connection is on this machine. */
export function isLocalPeer(address: string | undefined): boolean {
  return isListed(thisMachine, address)
}

/** Whether a proxy says that the caller reached it over TLS. Where it names several steps, each must have been. */
export function isSecure(headers: IncomingHttpHeaders): boolean {
  const steps = [headers['x-forwarded-proto'] ?? ''].flat().join(',').split(',')
  return steps.every((step) => step.trim().toLowerCase() === 'https')
}
