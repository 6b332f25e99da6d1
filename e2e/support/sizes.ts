/** Whether the long form of the fault, fuzz, access and soak tests was asked for (`pnpm nightly`). */
export const nightly = process.env.NIGHTLY === '1'

/** A size of a test: `short` in CI, where minutes are counted, `long` at night. */
export const sized = <T>(short: T, long: T): T => (nightly ? long : short)
