/** Returns the next pseudo-random number in [0, 1). */
export type Random = () => number

/** FNV-1a over UTF-16 code units. Similar seeds ('default:1', 'default:2') get very different hashes. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

/**
 * A pseudo-random generator (mulberry32), with the same numbers for the same seed on every machine. Not for secrets. Not
 * from a library: other numbers would change the order of running channels.
 */
export function seededRandom(seed: string | number): Random {
  let state = hash(String(seed))
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** A random integer in [0, limit). */
export function randomIndex(random: Random, limit: number): number {
  return Math.floor(random() * limit)
}

/** A shuffled copy (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items]
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = randomIndex(random, index + 1)
    const held = result[index] as T
    result[index] = result[other] as T
    result[other] = held
  }
  return result
}
