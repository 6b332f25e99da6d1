import type { Role } from '@looptide/contracts/common'
import { may } from '@looptide/contracts/permissions'

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

/** Whether videos of this user are accepted without review. Videos of those who edit the library always are. */
export const isExemptFromReview = ({ id, role }: Adder, { roles, users }: SubmissionExempt): boolean =>
  may(role, 'videos:edit') || roles.includes(role) || users.includes(id)

/** Whether a video that was rejected enters the library when this role adds it. */
export const mayAcceptRejected = (role: Role): boolean =>
  may(role, 'submissions:review') || may(role, 'videos:edit')
