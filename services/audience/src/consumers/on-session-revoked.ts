import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { deleteSubscriptionsOfSessions } from '../features/push/push-repository.ts'

/** Ends the pushes to browsers whose sessions have ended: another person may use such a browser next. */
export const onSessionRevoked = (
  trx: Transaction<Database>,
  { data: { sessionIds } }: Envelope<'auth.session.revoked.v1'>,
): Promise<void> => deleteSubscriptionsOfSessions(trx, sessionIds)
