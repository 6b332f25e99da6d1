import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { RestrictionService } from '../features/staff/restriction-service.ts'

/** Times the author of a reported message out as moderators have decided, and ends the time-out of a reversed decision. */
export const onCaseDecided =
  (restrictions: RestrictionService) =>
  async (
    trx: Transaction<Database>,
    { data, actorId: by, correlationId }: Envelope<'chat.case.decided.v1'>,
  ): Promise<void> => {
    const { caseId, decision, authorId: userId, timeOutUntil } = data
    const cause = { actorId: by, correlationId }
    if (decision === 'reverse') await restrictions.endTimeOutIn(trx, { caseId, userId }, cause)
    else if (timeOutUntil !== undefined)
      await restrictions.timeOutIn(trx, { caseId, userId, expiresAt: new Date(timeOutUntil), by }, cause)
  }
