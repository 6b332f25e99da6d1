/** How much a JSON value may hold to be within bounds. */
export interface JsonLimits {
  /** Levels of arrays and objects, one inside the other. */
  depth: number
  /** Members of all of them together. */
  members: number
}

/**
 * Is a JSON value within bounds? Code that recurses into a value, or takes longer than in proportion to it, asks this
 * first: a body of 200 kB may be a hundred thousand levels deep. Itself without recursion, and it looks no further than
 * the bounds.
 */
export function isWithinLimits(
  value: unknown,
  { depth: maxDepth, members: maxMembers }: JsonLimits,
): boolean {
  let level: unknown[] = [value]
  let seen = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      if (depth === maxDepth) return false
      const members = Object.values(one)
      seen += members.length
      if (seen > maxMembers) return false
      for (const member of members) below.push(member)
    }
    level = below
  }
  return true
}
