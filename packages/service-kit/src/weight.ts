/** How much a JSON value may hold to be within bounds. */
export interface Bounds {
  /** Levels of arrays and objects, one inside the other. */
  levels: number
  /** Members of all of them together. */
  parts: number
}

/**
 * Is a JSON value within bounds? Code that recurses into a value, or takes longer than in proportion to it, asks this
 * first: a body of 200 kB may be a hundred thousand levels deep. Itself without recursion, and it looks no further than
 * the bounds.
 */
export function isWithin(value: unknown, { levels, parts }: Bounds): boolean {
  let level: unknown[] = [value]
  let seen = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      if (depth === levels) return false
      const members = Object.values(one)
      seen += members.length
      if (seen > parts) return false
      for (const member of members) below.push(member)
    }
    level = below
  }
  return true
}
