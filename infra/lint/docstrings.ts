/** Code that others read to use it; a test's name says what it does, and migrations are never called by hand. */
const SOURCE = /^(?:gateway|web|services\/[^/]+|packages\/[^/]+|infra\/[^/]+)\/src\/.*\.tsx?$/
const EXEMPT = /\.test\.tsx?$|\.d\.ts$|\/migrations\//
/** An exported function or class, also a function in a constant. */
const EXPORTED =
  /^export (?:(?:async )?function\*? (\w+)|(?:abstract )?class (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?(?:function\b|\(|<\w))/
/** A line between a docstring and its declaration. */
const SUPPRESSION = /^\/\/ biome-ignore /

/** Finds exported functions and classes without a docstring. */
export function findMissingDocstrings(path: string, text: string): string[] {
  if (!SOURCE.test(path) || EXEMPT.test(path)) return []
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [, ...names] = EXPORTED.exec(line) ?? []
    const name = names.find((one) => one !== undefined)
    if (name === undefined || isDocumented(lines, index)) return []
    return [`${path}:${index + 1}: ${name} has no docstring: what it returns, units, errors, why`]
  })
}

/** Whether the declaration in this line, or the first overload of it, follows a docstring. */
function isDocumented(lines: readonly string[], index: number): boolean {
  const before = lines[index - 1] ?? ''
  if (before.endsWith('*/')) return true
  return SUPPRESSION.test(before) && isDocumented(lines, index - 1)
}
