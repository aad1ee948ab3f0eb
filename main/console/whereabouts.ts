import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Whereabouts } from '../../shared/views.ts'
import { createWhereaboutsFinder } from '../analysis/index.ts'
import { projectRoot } from '../platform/project-root.ts'

let find: ((text: string) => Whereabouts[]) | null = null

/** What a message says about the place and the company of its writer, by `resources/whereabouts.yaml`. */
export function whereaboutsIn(text: string | null): Whereabouts[] {
  if (text === null) return []
  find ??= createWhereaboutsFinder(parse(readFileSync(join(projectRoot(), 'resources', 'whereabouts.yaml'), 'utf8')))
  return find(text)
}
