import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSchool, type DemonstrationSchool } from './school.ts'

/** Reads the demonstration school from its folder (resources/demo). Throws a DemonstrationFileError. */
export function loadSchool(folder: string): DemonstrationSchool {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ya?ml|csv)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''))
  return readSchool(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])))
}
