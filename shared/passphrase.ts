/** The rule for passphrases, for the screen, the console and doctor. */

/** The shortest that may be chosen, characters. One that opens existing data may be shorter. */
export const shortestPassphrase = 12
/** The longest that is taken at all. */
export const longestPassphrase = 1000

/** Whether this may not be chosen; counted as the key is derived, in the composed form (NFKC). */
export function isTooShort(passphrase: string): boolean {
  return [...passphrase.normalize('NFKC')].length < shortestPassphrase
}
