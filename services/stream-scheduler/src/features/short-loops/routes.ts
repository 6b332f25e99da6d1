import {
  streamChannelListShortLoops,
  streamChannelPreviewShortLoops,
} from '@looptide/contracts/operations/stream/channels'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { findShortLoops } from './short-loop-repository.ts'

/** Routes of channels that repeat within an hour. */
export const shortLoopRoutes = ({
  db,
  fallbackMaxMs,
}: {
  db: Kysely<Database>
  fallbackMaxMs: number
}): Route[] => [
  route(streamChannelListShortLoops, async () => ({ items: await findShortLoops(db, fallbackMaxMs) })),
  route(streamChannelPreviewShortLoops, async ({ body }) => ({
    items: await findShortLoops(db, fallbackMaxMs, body.withoutVideoIds),
  })),
]
