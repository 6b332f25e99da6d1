import type { Role } from '@looptide/contracts/common'

/** Who adds videos. */
export interface Adder {
  id: string
  role: Role
}

/** Roles and accounts whose videos are accepted without review (settings; none by default). */
export interface SubmissionExempt {
  roles: readonly Role[]
  users: readonly string[]
}

export const NOBODY_EXEMPT: SubmissionExempt = { roles: [], users: [] }

/** Whether a video this person adds is in the library at once. Admins' always are. */
export const addsWithoutReview = ({ id, role }: Adder, { roles, users }: SubmissionExempt): boolean =>
  role === 'admin' || roles.includes(role) || users.includes(id)

/** Moderators and admins see and decide submissions. */
export const reviews = (role: Role | undefined): boolean => role === 'moderator' || role === 'admin'
