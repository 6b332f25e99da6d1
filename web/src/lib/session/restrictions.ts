import type { AddRestrictionBody, Restriction } from '@looptide/contracts/http/users'
import { ApiError } from '../api/api-error.ts'
import { api } from '../clients.ts'

/** An active restriction of the same type, which a new one would replace. */
export interface ConflictingRestriction {
  id: string
  text: string
}

/** The active restriction that made {@link addRestriction} fail; undefined for any other failure. */
export function conflictingRestriction(failure: unknown): ConflictingRestriction | undefined {
  if (!(failure instanceof ApiError) || failure.code !== 'already_exists') return undefined
  const id = failure.details.find(({ path }) => path === '/replaces')?.message
  return id === undefined ? undefined : { id, text: failure.message }
}

/**
 * Restricts a user, for a time or until the restriction is removed. It replaces the active restriction of the same
 * type named in `terms.replaces`. Any other active one causes `already_exists`, see {@link conflictingRestriction}.
 */
export const addRestriction = (userId: string, terms: AddRestrictionBody): Promise<Restriction> =>
  api.call('POST /api/users/:id/restrictions', { params: { id: userId }, body: terms })

/** Removes a restriction. */
export const liftRestriction = ({ userId, id }: Pick<Restriction, 'userId' | 'id'>): Promise<void> =>
  api.call('DELETE /api/users/:id/restrictions/:restrictionId', { params: { id: userId, restrictionId: id } })
