import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'
import { deleteRestriction } from '../features/shared/restriction-repository.ts'

/** Deletes a lifted restriction. */
export async function onUserUnrestricted(
  trx: CatalogueTrx,
  envelope: Envelope<'auth.user.unrestricted.v1'>,
): Promise<void> {
  await deleteRestriction(trx, envelope.data.restrictionId)
}
