import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../db/schema.ts'
import { factorRepository } from '../factors/factor-repository.ts'
import { presentUser } from './present-user.ts'
import type { UserRow } from './user-repository.ts'

/** The user object with the user's second factors. */
export const presentCurrentUser = async (db: Db<Database>, user: UserRow): Promise<Record<string, unknown>> =>
  presentUser(user, await factorRepository.listOf(db, user.id))
