/** Limits on the shape of a JSON value. */
export interface JsonLimits {
  /** Maximum nesting of arrays and objects. */
  depth: number
  /** Maximum number of members of all arrays and objects. */
  members: number
}

/**
 * Whether a JSON value is within the limits. Call it before code that recurses into a value or takes more than linear
 * time: a body of 200 kB can be nested 100,000 levels deep. Iterative, and stops at the limits.
 */
export function isWithinLimits(
  value: unknown,
  { depth: maxDepth, members: maxMembers }: JsonLimits,
): boolean {
  let level: unknown[] = [value]
  let memberCount = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      if (depth === maxDepth) return false
      const members = Object.values(item)
      memberCount += members.length
      if (memberCount > maxMembers) return false
      for (const member of members) next.push(member)
    }
    level = next
  }
  return true
}
