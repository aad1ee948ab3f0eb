import { hostname } from 'node:os'

/** What this computer is called, so that people find it; never what tells one installation from another. */
export function machineName(): string {
  return hostname().split('.')[0] ?? ''
}
