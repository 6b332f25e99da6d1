import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { applyPlan } from '../features/decisions/programme-plan.ts'

/** Stores which requests of a channel are planned, and which are decided. */
export const onRequestsPlanned = (
  trx: Transaction<Database>,
  event: Envelope<'stream.requests.planned.v1'>,
): Promise<void> => applyPlan(trx, event)
