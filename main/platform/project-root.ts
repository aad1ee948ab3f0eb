import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder: the nearest one above that holds the package.json of psyflo-console. */
export function projectRoot(from: string = import.meta.url): string {
  let folder = dirname(fileURLToPath(from))
  for (;;) {
    const manifest = join(folder, 'package.json')
    if (
      existsSync(manifest) &&
      (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown }).name === 'psyflo-console'
    )
      return folder
    const above = dirname(folder)
    if (above === folder) throw new Error('The program’s own folder was not found: its package.json is missing.')
    folder = above
  }
}
