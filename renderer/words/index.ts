/** All text of the screens. Another language is another catalog of the same type. */
import { en } from './en.ts'

export type Words = typeof en
export const words: Words = en
export { language, numberText } from '../../shared/numbers.ts'
