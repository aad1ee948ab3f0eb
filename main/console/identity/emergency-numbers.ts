import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { CallNumber } from '../../../shared/guardians.ts'
import { crisisNumberSchema } from '../../../shared/set-up.ts'
import { projectRoot } from '../../platform/project-root.ts'
import { countryOf } from './phone-numbers.ts'

const countrySchema = z.string().regex(/^[A-Z]{2}$/)
const fileSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  otherwise: countrySchema,
  countries: z.record(countrySchema, z.array(crisisNumberSchema).min(1)),
  emergency_112: z.array(countrySchema),
})

let read: z.output<typeof fileSchema> | null = null

/**
 * Whom an adult calls in the country that a school's time zone (IANA name) is of: `resources/emergency-numbers.yaml`.
 * Empty for a country that the file does not have.
 */
export function emergencyNumbers(timeZone: string): CallNumber[] {
  const file = () => readFileSync(join(projectRoot(), 'resources', 'emergency-numbers.yaml'), 'utf8')
  const { countries, emergency_112, otherwise } = (read ??= fileSchema.parse(parse(file())))
  const country = countryOf(timeZone) ?? otherwise
  if (emergency_112.includes(country)) return [{ name: 'Emergency services', contact: '112' }]
  return countries[country] ?? []
}
