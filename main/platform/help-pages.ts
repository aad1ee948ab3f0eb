import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HelpPage } from '../../shared/views.ts'
import { projectRoot } from './project-root.ts'

/** The pages of resources/docs, by name; the title is the page's first heading. */
export function readHelpPages(folder: string = join(projectRoot(), 'resources', 'docs')): HelpPage[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const markdown = readFileSync(join(folder, file), 'utf8')
      const name = file.slice(0, -'.md'.length)
      return { name, title: /^# (.+)$/m.exec(markdown)?.[1]?.trim() ?? name, markdown }
    })
}
