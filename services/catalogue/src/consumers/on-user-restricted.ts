import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'
import { insertRestriction } from '../features/shared/restriction-repository.ts'

/** Stores a restriction of type `restricted`. The catalogue ignores other types, such as chat bans. */
export async function onUserRestricted(
  trx: CatalogueTrx,
  envelope: Envelope<'auth.user.restricted.v1'>,
): Promise<void> {
  const { userId, restrictionId, restrictionType, expiresAt } = envelope.data
  if (restrictionType !== 'restricted') return
  await insertRestriction(trx, {
    restrictionId,
    userId,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  })
}
