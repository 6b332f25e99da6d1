import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../db/schema.ts'
import * as factorRepository from './factor-repository.ts'
import * as identityRepository from './identity-repository.ts'
import { presentUser, type UserParts } from './present-user.ts'
import type { UserRow } from './user-repository.ts'

/** The second factors and identities of a user. */
export async function partsOf(db: Db<Database>, userId: string): Promise<Required<UserParts>> {
  const [factors, identities] = await Promise.all([
    factorRepository.listOf(db, userId),
    identityRepository.listOf(db, userId),
  ])
  return { factors, identities }
}

/** The user object with the user's second factors and identities. */
export const presentCurrentUser = async (db: Db<Database>, user: UserRow): Promise<Record<string, unknown>> =>
  presentUser(user, await partsOf(db, user.id))
