/** Inserts each added item before the first kept one that follows it in `order`. The kept items keep their order. */
export function insertInOrder(
  kept: readonly string[],
  added: readonly string[],
  order: readonly string[],
): string[] {
  const isKept = new Set(kept)
  const isAdded = new Set(added)
  const before = new Map<string, string[]>()
  let pending: string[] = []
  for (const id of order) {
    if (isAdded.has(id)) pending.push(id)
    else if (isKept.has(id)) {
      before.set(id, pending)
      pending = []
    }
  }
  const result: string[] = []
  for (const id of kept) {
    result.push(...(before.get(id) ?? []), id)
    before.delete(id)
  }
  return [...result, ...pending]
}
