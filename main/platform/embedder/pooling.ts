/**
 * Sentence vectors from token vectors: the mean over the tokens that are no padding, brought to length 1.
 * `tokens` holds count × length × dimension numbers, `mask` count × length. A vector of zeros stays one.
 */
export function meanPooled(
  tokens: Float32Array,
  mask: BigInt64Array,
  [count, length, dimension]: readonly [number, number, number],
): Float32Array[] {
  return Array.from({ length: count }, (_, text) => {
    const mean = new Float32Array(dimension)
    for (let token = 0; token < length; token += 1) {
      if (mask[text * length + token] === 0n) continue
      const from = (text * length + token) * dimension
      for (let i = 0; i < dimension; i += 1) mean[i]! += tokens[from + i]!
    }
    // The length of the sum is brought to 1: dividing by the number of tokens first would change nothing.
    const norm = Math.hypot(...mean)
    return norm === 0 ? mean : mean.map((value) => value / norm)
  })
}
