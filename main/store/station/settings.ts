import { createHash } from 'node:crypto'
import type { Unit } from './tables.ts'

/** Under which the key store of a database that several stations share is kept. */
export const keystoreSetting = 'keystore'

/** A setting of the whole database; null where nothing was kept under that name. */
export async function findSetting(unit: Unit, name: string): Promise<string | null> {
  const row = await unit.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

/** Keeps a setting that is not there yet, and answers what is kept: another station may have been first. */
export async function keepSetting(unit: Unit, name: string, value: string): Promise<string> {
  await unit
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findSetting(unit, name)) ?? value
}

/** As much as a long message and its events need. Digests, which no database makes smaller. */
const filling = Array.from({ length: 1024 }, (_, index) =>
  createHash('sha256').update(String(index)).digest('hex'),
).join('')

/** Writes something that means nothing, to see whether there is room for a message. */
export async function tryRoom(unit: Unit): Promise<void> {
  await unit
    .insertInto('settings')
    .values({ name: 'room', value: filling })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: filling }))
    .execute()
}
