import type { UserRow } from '../users/user-repository.ts'

/** The user and session that an authenticated request belongs to. */
export interface Caller {
  user: UserRow
  sessionId: string
  /** Generation of the presented token. */
  generation: number
  signedInAt: Date
  /** When the second factor was verified. Null unless session and token were verified with it (`aal2`). */
  factorVerifiedAt: Date | null
  hasFactor: boolean
}
