import { fileURLToPath } from 'node:url'
import { createDb, migrate } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '@looptide/testkit/postgres'
import { ChannelService } from '../../services/stream-scheduler/src/channels/channel-service.ts'
import { StreamService } from '../../services/stream-scheduler/src/channels/stream-service.ts'
import type { Database } from '../../services/stream-scheduler/src/db/schema.ts'
import { insertItems } from '../../services/stream-scheduler/src/playlists/playlist-repository.ts'
import { PlaylistService } from '../../services/stream-scheduler/src/playlists/playlist-service.ts'
import { ChannelProgrammingLoader } from '../../services/stream-scheduler/src/programming-loader.ts'
import { LibraryCache } from '../../services/stream-scheduler/src/schedule/library-cache.ts'
import { LoopCache } from '../../services/stream-scheduler/src/schedule/loop-cache.ts'
import { ScheduleReader } from '../../services/stream-scheduler/src/schedule/schedule-reader.ts'
import { Leadership } from '../../services/stream-scheduler/src/timeline/leadership.ts'
import { TimelineCache } from '../../services/stream-scheduler/src/timeline/timeline-cache.ts'
import { TimelineWorker } from '../../services/stream-scheduler/src/timeline/timeline-worker.ts'
import { TimelineWriter } from '../../services/stream-scheduler/src/timeline/timeline-writer.ts'

export const HOUR_MS = 3_600_000
const FALLBACK_MAX_MS = 15 * 60_000
export const CAUSE = { actorId: newId(), correlationId: 'bench' }

export type Scheduler = Awaited<ReturnType<typeof startScheduler>>

/** One scheduler without HTTP and NATS: services and worker on their own database, with a clock that the benchmark sets. */
export async function startScheduler() {
  const database = await freshDatabase()
  const logger = createLogger('bench', 'warn')
  const db = createDb<Database>(database.urlFor('scheduler'), logger, 5)
  await migrate(
    db,
    fileURLToPath(new URL('../../services/stream-scheduler/src/db/migrations/', import.meta.url)),
  )
  const clock = { nowMs: Date.now() }
  const now = () => clock.nowMs
  const schedules = new ScheduleReader(new LibraryCache(Date.now), {
    fallbackMaxMs: FALLBACK_MAX_MS,
    requests: 'off',
  })
  const timelines = new TimelineCache(db, now, schedules)
  const loader = new ChannelProgrammingLoader(new LoopCache(FALLBACK_MAX_MS), schedules, now)
  const writer = new TimelineWriter(loader, logger)
  // No unknown video is added, so the catalogue is not called.
  const catalogue = { catalogueUrl: 'http://127.0.0.1:1', internalToken: '' }
  const worker = new TimelineWorker({ db, timelines, writer, leadership: new Leadership(db), logger, now })
  return {
    db,
    clock,
    timelines,
    writer,
    worker,
    channels: new ChannelService({ db, timelines, writer, now }),
    playlists: new PlaylistService({ db, timelines, writer, now, catalogue }),
    streams: new StreamService({ db, timelines, writer, worker, now }),
    close: async () => {
      await db.destroy()
      await database.drop()
    },
  }
}

/** Videos of 2:30 to 5:30; the number of artists is a tenth of theirs. */
export async function makeVideos({ db }: Scheduler, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  for (let from = 0; from < count; from += 1000) {
    const rows = ids.slice(from, from + 1000).map((id, index) => ({
      id,
      title: `Song ${from + index}`,
      artistName: `Artist ${(from + index) % Math.max(3, Math.floor(count / 10))}`,
      description: 'A description of some length, as videos have them. '.repeat(6),
      genre: 'Music',
      category: null,
      durationMs: 150_000 + ((index * 7919) % 180_000),
      durationAssumed: false,
      thumbnailUrl: null,
      videoUrl: 'https://www.youtube.com/embed/abcdefghijk',
      youtubeId: 'abcdefghijk',
      isPublic: true,
      metadataStatus: 'resolved' as const,
      createdAt: new Date(1_700_000_000_000 + from + index),
      removedAt: null,
      quarantinedAt: null,
      quarantineReason: null,
      quarantineChannelId: null,
    }))
    await db.insertInto('videos').values(rows).execute()
  }
  return ids
}

export async function makeChannel(
  scheduler: Scheduler,
  videoIds: readonly string[],
  shuffleEnabled: boolean,
): Promise<string> {
  const { id } = await scheduler.channels.create({ name: 'Bench' }, CAUSE)
  await scheduler.db.transaction().execute((trx) => insertItems(trx, id, videoIds, null))
  if (shuffleEnabled) await scheduler.channels.update(id, { shuffleEnabled }, CAUSE)
  return id
}
