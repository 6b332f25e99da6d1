import { streamChannelSimulate, streamProgrammeExplain } from '@looptide/contracts/operations/stream/channels'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import { readSnapshot } from '../db/read-snapshot.ts'
import type { Database } from '../db/schema.ts'
import { type CatalogueAccess, withReadinessCheck } from '../library/video-readiness.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import { explain } from './explain.ts'
import { simulate } from './simulate.ts'

interface Deps {
  db: Kysely<Database>
  now: () => number
  fallbackMaxMs: number
  catalogue: CatalogueAccess
  schedules: ScheduleReader
}

/** Routes of what a change would put on the air, and why a programme is on. */
export const simulationRoutes = ({ db, now, fallbackMaxMs, catalogue, schedules }: Deps): Route[] => [
  route(streamChannelSimulate, ({ params, body }) =>
    withReadinessCheck(catalogue, () =>
      readSnapshot(db, (trx) => simulate(trx, params.id, body, { nowMs: now(), fallbackMaxMs, schedules })),
    ),
  ),
  route(streamProgrammeExplain, ({ params: { id, programmeId } }) =>
    readSnapshot(db, (trx) => explain(trx, id, programmeId, { fallbackMaxMs, schedules })),
  ),
]
