import type { AddRestrictionBody, Restriction } from '@looptide/contracts/http/users'
import { ApiError } from './api-error.ts'
import { api } from './clients.ts'

const path = (userId: string): string => `/api/users/${encodeURIComponent(userId)}/restrictions`

/** A restriction of the same type that is in force, which a new one would replace. */
export type RestrictionInForce = { id: string; text: string }

/** The restriction in force that made {@link addRestriction} fail; undefined for any other failure. */
export function inForceOf(failure: unknown): RestrictionInForce | undefined {
  if (!(failure instanceof ApiError) || failure.code !== 'already_exists') return undefined
  const id = failure.details.find(({ path }) => path === '/replaces')?.message
  return id === undefined ? undefined : { id, text: failure.message }
}

/**
 * Restricts a person, for a time or until the restriction is lifted. It replaces the restriction of the same type that
 * `terms.replaces` names; another one in force is an `already_exists`, see {@link inForceOf}.
 */
export const addRestriction = (userId: string, terms: AddRestrictionBody): Promise<Restriction> =>
  api.post<Restriction>(path(userId), terms)

/** Lifts a restriction. */
export const liftRestriction = ({ userId, id }: Pick<Restriction, 'userId' | 'id'>): Promise<unknown> =>
  api.delete(`${path(userId)}/${encodeURIComponent(id)}`)
