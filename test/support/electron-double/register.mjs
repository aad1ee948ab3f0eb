// Loaded with `node --import`: whatever asks for `electron` gets the double, and nothing else changes.
import { registerHooks } from 'node:module'

const double = new URL('./electron.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
})
