/** Rows that one statement of {@link inBatches} changes at most. */
export const BATCH_ROWS = 1000

/**
 * Repeats a statement that changes at most `limit` rows until it changes fewer, so that none takes longer than the
 * statement timeout allows, however many rows there are.
 */
export async function inBatches(
  change: (limit: number) => Promise<{ numAffectedRows?: bigint }>,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await change(BATCH_ROWS)
    if (numAffectedRows < BATCH_ROWS) return
  }
}
