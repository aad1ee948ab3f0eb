export { createViewing, type Viewing, type ViewingOptions } from './viewing.ts'
