import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { type AiringDeps, applyAiring } from '../features/decisions/airing.ts'

/** Charges a request that is on the air, and stores its receipt. */
export const onProgrammeStarted =
  (deps: AiringDeps) =>
  (trx: Transaction<Database>, event: Envelope<'stream.programme.started.v1'>): Promise<void> =>
    applyAiring(deps, trx, event.data, event)
