import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'

/** Deletes a lifted restriction. */
export async function onUserUnrestricted(
  trx: CatalogueTrx,
  envelope: Envelope<'auth.user.unrestricted.v1'>,
): Promise<void> {
  await trx.deleteFrom('restrictedUsers').where('restrictionId', '=', envelope.data.restrictionId).execute()
}
