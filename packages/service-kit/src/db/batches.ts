/** Maximum rows that one statement of {@link inBatches} changes. */
export const BATCH_ROWS = 1000

/**
 * Repeats a statement that changes at most `limit` rows until it changes fewer or `signal` aborts, so that no statement
 * exceeds the statement timeout. Returns the number of changed rows.
 */
export async function inBatches(
  change: (limit: number) => Promise<{ numAffectedRows?: bigint }>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  while (signal?.aborted !== true) {
    const { numAffectedRows = 0n } = await change(BATCH_ROWS)
    total += Number(numAffectedRows)
    if (numAffectedRows < BATCH_ROWS) break
  }
  return total
}
