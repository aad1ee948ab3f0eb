/** Damage to a file as a failing disk does it: some bytes are others than were written. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs'

const pageSize = 4096

export const pagesOf = (file: string): number => statSync(file).size / pageSize

/** Turns bytes in the middle of a page, the first of which is number 1. Nobody may have it open. */
export function damagePage(file: string, page: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.from([0xde, 0xad, 0xbe, 0xef]), 0, 4, (page - 1) * pageSize + pageSize / 2)
  closeSync(handle)
}
