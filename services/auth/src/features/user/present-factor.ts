import type { FactorRow } from './factor-repository.ts'

/** Whether the factor counts as the user's second factor. Enrolments that were not completed do not. */
export const isVerified = (factor: Pick<FactorRow, 'status'>): boolean => factor.status === 'verified'

/** An entry of `user.factors` (docs/protocols/auth.md, "Second factors"). */
export const presentFactor = (factor: FactorRow): Record<string, unknown> => ({
  id: factor.id,
  friendly_name: factor.friendlyName,
  factor_type: factor.factorType,
  status: factor.status,
  created_at: factor.createdAt.toISOString(),
  updated_at: factor.updatedAt.toISOString(),
  ...(factor.lastChallengedAt === null ? {} : { last_challenged_at: factor.lastChallengedAt.toISOString() }),
})
