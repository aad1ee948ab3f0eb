import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from './environment.ts'

/** The data directory: the flag, else PSYFLO_DATA_DIR, else the platform's own place. */
export function dataDirOf(flag: string | undefined, env: Environment): string {
  return resolve(flag ?? (env.PSYFLO_DATA_DIR || defaultDataDir(env, process.platform)))
}

/** The folder for a program's data on each platform; `env` is asked first where the platform has a variable for it. */
export function defaultDataDir(env: Environment, platform: NodeJS.Platform): string {
  const home = homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'PsyFlo Console')
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'PsyFlo Console')
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'psyflo-console')
}

/** Whether a host's name or address is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** `https://sqs.REGION.amazonaws.com/…`; null for any other host. */
export function regionOf(queueUrl: string | null): string | null {
  const host = queueUrl === null ? '' : new URL(queueUrl).hostname
  return /^sqs\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1] ?? null
}
