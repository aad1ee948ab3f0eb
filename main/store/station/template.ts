/** Questions that are asked again and again: put together and compiled once, then asked with other values. */
import type { Compilable, CompiledQuery } from 'kysely'
import { locksRows } from './store.ts'
import type { Unit } from './tables.ts'

/** Stands for a value until the question is asked. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A question whose text is always the same. `build` gets what stands for each value, to be used as a value and
 * nothing else: text that depends on a value is the text of the first one for ever.
 */
export function template<Values extends object, Row>(
  build: (unit: Unit, value: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable<Row>,
): (unit: Unit, values: Values) => Promise<Row[]> {
  /** By kind of database: each has a language of its own. */
  const compiled = new Map<boolean, CompiledQuery<Row>>()
  return async (unit, values) => {
    const kind = locksRows(unit)
    let query = compiled.get(kind)
    if (query === undefined) {
      query = build(unit, (name) => new Slot(name) as never).compile()
      compiled.set(kind, query)
    }
    const parameters = query.parameters.map((each) =>
      each instanceof Slot ? (values as Record<string, unknown>)[each.name] : each,
    )
    return (await unit.executeQuery<Row>({ ...query, parameters })).rows
  }
}
