/** Whether the long form of the properties was asked for (`pnpm nightly`). */
const isNightly = process.env.NIGHTLY === '1'

/** Parameters of a property that generates evenings: 10,000 at night, `short` in each test run. */
export const evenings = (short: number): { numRuns: number } => ({ numRuns: isNightly ? 10_000 : short })

/** Time limit of such a test in ms. It only ends a test that hangs. */
export const EVENINGS_TIMEOUT_MS = isNightly ? 1_800_000 : 60_000
