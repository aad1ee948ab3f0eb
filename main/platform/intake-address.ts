/** How a command on this machine finds the running intake: its address and the desk's own key. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Randomness } from './ports.ts'

const announcementSchema = z.object({ url: z.url(), pid: z.int().min(1) })

const announcementPath = (dataDir: string) => join(dataDir, 'intake.json')
const keyPath = (dataDir: string) => join(dataDir, 'intake.key')

/** The desk's own API key, made at first start and kept for its owner's eyes only (mode 0600). */
export function deskKey(dataDir: string, randomness: Randomness): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const known = read(keyPath(dataDir))?.trim()
  if (known) return known
  const key = randomness.bytes(32).toString('base64url')
  writeFileSync(keyPath(dataDir), `${key}\n`, { mode: 0o600 })
  // The mode above counts only for a new file.
  chmodSync(keyPath(dataDir), 0o600)
  return key
}

/** Says where the intake is, until the returned function is called. What a killed process left is overwritten. */
export function announceIntake(dataDir: string, announcement: { url: string; pid: number }): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(announcementPath(dataDir), `${JSON.stringify(announcement)}\n`, { mode: 0o600 })
  return () => rmSync(announcementPath(dataDir), { force: true })
}

/** The running intake of a data directory; null when none is announced or its process is gone. */
export function findIntake(dataDir: string): { url: string; key: string } | null {
  const announcement = announcementSchema.safeParse(parseJson(read(announcementPath(dataDir))))
  const key = read(keyPath(dataDir))?.trim()
  if (!announcement.success || !key || !isRunning(announcement.data.pid)) return null
  return { url: announcement.data.url, key }
}

/** The intake of a demonstration that runs on a data directory: each keeps to a folder of its own. Null where none does. */
export function findDemonstration(dataDir: string): { url: string; key: string } | null {
  const parent = join(dataDir, 'demo')
  const runs = existsSync(parent) ? readdirSync(parent) : []
  return runs.map((run) => findIntake(join(parent, run))).find((intake) => intake !== null) ?? null
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return (error as { code?: string }).code === 'EPERM'
  }
}
