import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { insertAiring } from '../features/airings/airing-repository.ts'
import { type AiringDeps, applyAiring } from '../features/decisions/airing.ts'

/** Stores an airing. Charges the request that it is, and stores its receipt. */
export const onProgrammeStarted =
  (deps: AiringDeps) =>
  async (trx: Transaction<Database>, event: Envelope<'stream.programme.started.v1'>): Promise<void> => {
    const { channelId, seq, programmeId, videoId, startsAtMs, endsAtMs, title, artist } = event.data
    await insertAiring(trx, {
      ...{ channelId, seq, airingId: programmeId, videoId },
      ...{ title: title ?? null, artistName: artist ?? null },
      ...{ startsAt: new Date(startsAtMs), endsAt: new Date(endsAtMs) },
    })
    await applyAiring(deps, trx, event.data, event)
  }
