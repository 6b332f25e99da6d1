import type { UserRow } from '../users/user-repository.ts'

/** The user and session that an authenticated request belongs to. */
export interface Caller {
  user: UserRow
  sessionId: string
  /** Whether session and token were verified with a second factor (`aal2`). */
  hasFactor: boolean
}
