/** The alerting rules for Prometheus that come with the station: readable, whole, and about figures that there are. */
import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createMetrics } from '../../../main/station/index.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

/** As Prometheus reads it: a name that it does not know refuses the file. */
const ruleFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string().min(1),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string().min(1),
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string().min(1), description: z.string().min(1) }),
        }),
      ),
    }),
  ),
})
const { groups } = ruleFile.parse(parse(readFileSync('resources/monitoring/station.rules.yaml', 'utf8')))
const rules = groups.flatMap((group) => group.rules)

/** The metrics that an expression asks for; throws where it is none. */
function metricsIn(expression: string): string[] {
  const names: string[] = []
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expression}`)
      const text = expression.slice(from, to)
      if (type.name === 'Identifier' && /^(psyflo_|up$)/.test(text)) names.push(text)
    },
  })
  return names
}

it('what is no PromQL is told from what is', () => {
  expect(metricsIn('rate(psyflo_heartbeats_total[5m]) > 1')).toEqual(['psyflo_heartbeats_total'])
  for (const broken of ['sum(psyflo_x', 'psyflo_x >', 'psyflo_x{a=}']) expect(() => metricsIn(broken)).toThrow()
})

it.each(rules)('$alert asks for figures that a station tells', async ({ expr, annotations }) => {
  const metrics = createMetrics(virtualClock(), { ofProcess: false })
  metrics.watch({ waiting: () => ({ count: 0, oldest: null }), publishFailing: () => false })
  metrics.watchDrills(() => false)
  metrics.requestAnswered('GET', '/health', 200, 1)
  const text = await metrics.text()
  const asked = metricsIn(expr)
  expect(asked.length).toBeGreaterThan(0)
  for (const name of asked.filter((each) => each !== 'up'))
    expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `, 'm'))
  for (const [, used] of annotations.description.matchAll(/\$labels\.(\w+)/g)) expect(used).toBe('instance')
})

it('no alert bears the name of another', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})
