import type { AddRestrictionBody, Restriction } from '@looptide/contracts/http/people'
import { api } from './clients.ts'

const path = (userId: string): string => `/api/users/${encodeURIComponent(userId)}/restrictions`

/** Takes something from somebody, for a time or until it is given back. One of a type: a later word replaces the earlier. */
export const addRestriction = (userId: string, terms: AddRestrictionBody): Promise<Restriction> =>
  api.post<Restriction>(path(userId), terms)

/** Gives back what the restriction took. */
export const liftRestriction = ({ userId, id }: Pick<Restriction, 'userId' | 'id'>): Promise<unknown> =>
  api.delete(`${path(userId)}/${encodeURIComponent(id)}`)
