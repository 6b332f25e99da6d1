import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { insertRestriction } from '../features/users/user-repository.ts'

/** Stores a restriction. Those of type `restricted` concern requests, all of them votes in polls. */
export async function onUserRestricted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.restricted.v1'>,
): Promise<void> {
  const { userId, restrictionId, restrictionType, expiresAt } = envelope.data
  await insertRestriction(trx, {
    restrictionId,
    userId,
    restrictionType,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  })
}
