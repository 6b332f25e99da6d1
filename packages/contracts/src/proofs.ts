/**
 * What a session must prove for an operation, in addition to the permission:
 *
 * - `none`: nothing.
 * - `recent-sign-in`: a sign-in within 24 hours; of a user with a second factor, a second factor within 24 hours.
 * - `factor`: the second factor, if the user has one.
 * - `fresh-factor`: the second factor within ten minutes; of a user without one, a sign-in within 24 hours.
 *
 * Anonymous users cannot prove more than their session, so nothing is required of them.
 */
export type Proof = 'none' | 'recent-sign-in' | 'factor' | 'fresh-factor'

/** The proof of an operation. If it depends on the body: `always` is required before the body is read, then that of the case. */
export type ProofRule = Proof | ({ readonly always: Proof } & Readonly<Record<string, Proof>>)

/** Maximum age of a sign-in or second factor for `recent-sign-in`, in ms. */
export const RECENT_SIGN_IN_MS = 86_400_000
/** Maximum age of a second factor for `fresh-factor`, in ms. */
export const FRESH_FACTOR_MS = 600_000
