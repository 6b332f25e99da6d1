import type { Role } from '@looptide/contracts/common'

/** A user who adds videos. */
export interface Adder {
  id: string
  role: Role
}

/** Roles and accounts whose videos are accepted without review (settings; none by default). */
export interface SubmissionExempt {
  roles: readonly Role[]
  users: readonly string[]
}

export const NO_EXEMPTIONS: SubmissionExempt = { roles: [], users: [] }

/** Whether videos of this user are accepted without review. Videos of admins always are. */
export const isExemptFromReview = ({ id, role }: Adder, { roles, users }: SubmissionExempt): boolean =>
  role === 'admin' || roles.includes(role) || users.includes(id)

/** Whether this role lists and decides submissions. */
export const isReviewer = (role: Role | undefined): boolean => role === 'moderator' || role === 'admin'
