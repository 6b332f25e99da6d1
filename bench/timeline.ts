/**
 * The cost of a channel's timeline by the number of its videos, and of keeping many channels on the air.
 *
 *   node bench/timeline.ts [--videos 100,1000,10000] [--channels 10,100,1000] [--seconds 300]
 *
 * Starts a Postgres of its own. Every figure is a whole transaction with all that belongs to it: lock, plan, rows,
 * events, audit and this process's memory brought up to date. Keeping is done in simulated seconds, one round of
 * work each, as fast as it goes: the share of a core is processor time by simulated time.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createDb, migrate } from '@looptide/service-kit/db'
import { newId } from '@looptide/service-kit/ids'
import { createLogger } from '@looptide/service-kit/logger'
import { freshDatabase, startPostgres, testPostgresVariable } from '@looptide/testkit/postgres'
import type { Database } from '../services/stream-scheduler/src/db/schema.ts'
import { ChannelService } from '../services/stream-scheduler/src/features/channels/channel-service.ts'
import {
  insertItems,
  readOrder,
} from '../services/stream-scheduler/src/features/playlists/playlist-repository.ts'
import { PlaylistService } from '../services/stream-scheduler/src/features/playlists/playlist-service.ts'
import { StreamService } from '../services/stream-scheduler/src/features/stream/stream-service.ts'
import { ChannelKeeper } from '../services/stream-scheduler/src/timeline/channel-keeper.ts'
import { Leadership } from '../services/stream-scheduler/src/timeline/leadership.ts'
import { LoopCache } from '../services/stream-scheduler/src/timeline/loop-repository.ts'
import { TimelineMemory } from '../services/stream-scheduler/src/timeline/timeline-memory.ts'
import { lockChannel } from '../services/stream-scheduler/src/timeline/timeline-repository.ts'
import { TimelineWriter } from '../services/stream-scheduler/src/timeline/timeline-writer.ts'

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '100,1000,10000' },
    channels: { type: 'string', default: '10,100,1000' },
    seconds: { type: 'string', default: '300' },
  },
})
const numbers = (text: string): number[] => text.split(',').map(Number)
const RUNS = 7
const HOUR_MS = 3_600_000
const CAUSE = { actorId: newId(), correlationId: 'bench' }

const postgres = await startPostgres()
process.env[testPostgresVariable] = postgres.url
try {
  await byVideos()
  await byChannels()
} finally {
  await postgres.stop()
}

/** One scheduler without its doors: services and keeper on a database of their own, with a clock that is moved by hand. */
async function scheduler() {
  const database = await freshDatabase()
  const logger = createLogger('bench', 'warn')
  const db = createDb<Database>(database.urlFor('scheduler'), logger, 5)
  await migrate(
    db,
    fileURLToPath(new URL('../services/stream-scheduler/src/db/migrations/', import.meta.url)),
  )
  const clock = { nowMs: Date.now() }
  const now = () => clock.nowMs
  const memory = new TimelineMemory(db, now)
  const writer = new TimelineWriter(new LoopCache())
  const keeper = new ChannelKeeper({ db, memory, writer, leadership: new Leadership(db), logger, now })
  return {
    db,
    clock,
    memory,
    writer,
    keeper,
    channels: new ChannelService({ db, memory, writer, now }),
    playlists: new PlaylistService({ db, memory, writer, now }),
    streams: new StreamService({ db, memory, writer, keeper, now }),
    close: async () => {
      await db.destroy()
      await database.drop()
    },
  }
}
type Scheduler = Awaited<ReturnType<typeof scheduler>>

/** Videos of 2:30 to 5:30 by as many artists as a tenth of them. */
async function makeVideos({ db }: Scheduler, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  for (let from = 0; from < count; from += 1000) {
    const rows = ids.slice(from, from + 1000).map((id, index) => ({
      id,
      title: `Song ${from + index}`,
      artistName: `Artist ${(from + index) % Math.max(3, Math.floor(count / 10))}`,
      description: 'A description of some length, as videos have them. '.repeat(6),
      genre: 'Music',
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

async function makeChannel(
  station: Scheduler,
  videoIds: readonly string[],
  shuffleEnabled: boolean,
): Promise<string> {
  const { id } = await station.channels.create({ name: 'Bench' }, CAUSE)
  await station.db.transaction().execute((trx) => insertItems(trx, id, videoIds, null))
  if (shuffleEnabled) await station.channels.update(id, { shuffleEnabled }, CAUSE)
  return id
}

async function median(run: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < RUNS; round += 1) {
    const started = performance.now()
    await run(round)
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN
}

async function byVideos(): Promise<void> {
  for (const shuffled of [false, true]) {
    const table: Record<string, Record<string, number>> = {}
    for (const count of numbers(values.videos)) {
      const station = await scheduler()
      const times = await timeChannel(station, count, shuffled)
      for (const [what, ms] of Object.entries(times)) {
        table[what] = { ...table[what], [`${count} videos`]: Number(ms.toFixed(1)) }
      }
      await station.close()
    }
    console.log(`\nOne channel, ${shuffled ? 'shuffled' : 'in playlist order'}: ms, median of ${RUNS}`)
    console.table(Object.fromEntries(Object.entries(table).map(([what, row]) => [what, withGrowth(row)])))
  }
}

/** Adds how much slower the largest is than the smallest. */
function withGrowth(row: Record<string, number>): Record<string, number | string> {
  const all = Object.values(row)
  return { ...row, growth: `× ${((all.at(-1) ?? 0) / (all[0] ?? 1)).toFixed(1)}` }
}

async function timeChannel(
  station: Scheduler,
  count: number,
  shuffled: boolean,
): Promise<Record<string, number>> {
  const { db, clock, memory, writer, playlists, streams } = station
  const ids = await makeVideos(station, count)
  const id = await makeChannel(station, ids.slice(0, -20), shuffled)
  const order = async () => (await readOrder(db, id)).map((item) => item.id)
  const replan = async (trx: Parameters<typeof lockChannel>[0]) => {
    const channel = await lockChannel(trx, id)
    if (channel !== undefined) await writer.replan(trx, channel, clock.nowMs, 'edit', CAUSE)
  }
  const extend = async () => {
    await db.transaction().execute(async (trx) => {
      const channel = await lockChannel(trx, id)
      if (channel !== undefined) await writer.extend(trx, channel, clock.nowMs)
    })
    await memory.refresh([id])
  }
  const build = await median(async () => {
    await streams.stop(id, CAUSE)
    const started = performance.now()
    await streams.start(id, CAUSE)
    return performance.now() - started
  })
  return {
    'stop and start (build 27 h)': build,
    'extend by an hour, first time': await median(async () => {
      clock.nowMs += 1.05 * HOUR_MS
      await db
        .updateTable('channels')
        .set((c) => ({ loopVersion: c('loopVersion', '+', 1) }))
        .execute()
      await extend()
    }),
    'extend by an hour, remembered': await median(async () => {
      clock.nowMs += 1.05 * HOUR_MS
      await extend()
    }),
    'edit: add a video': await median((round) =>
      playlists.add(id, ids.slice(count - 20 + round).slice(0, 1), CAUSE),
    ),
    'edit: drag one to the front': await median(async () => {
      const items = await order()
      await playlists.order(id, [...items.slice(-1), ...items.slice(0, -1)], CAUSE)
    }),
    'edit: turn the whole order round': await median(async () =>
      playlists.order(id, (await order()).reverse(), CAUSE),
    ),
    'edit: remove the next one': await median(async (round) =>
      playlists.remove(id, (await order())[round] ?? '', CAUSE),
    ),
    'rebuild, nothing new': await median(() => db.transaction().execute(replan)),
    'restart (rebuild all)': await median(() => streams.start(id, CAUSE)),
  }
}

async function byChannels(): Promise<void> {
  const table: Record<string, Record<string, string>> = {}
  for (const count of numbers(values.channels)) {
    const station = await scheduler()
    table[`${count} channels`] = await keep(station, count, Number(values.seconds))
    await station.close()
  }
  console.log(`\nChannels of 50 videos kept ahead by one process, ${values.seconds} simulated seconds`)
  console.table(table)
}

async function keep(station: Scheduler, count: number, seconds: number): Promise<Record<string, string>> {
  const { db, clock, keeper, streams } = station
  const ids = await makeVideos(station, 2000)
  for (let channel = 0; channel < count; channel += 1) {
    clock.nowMs += 137
    const from = (channel * 37) % 1950
    await streams.start(await makeChannel(station, ids.slice(from, from + 50), channel % 2 === 0), CAUSE)
  }
  await keeper.workNow()
  const kept = await cpuMs(async () => {
    for (let second = 0; second < seconds; second += 1) {
      clock.nowMs += 1000
      await keeper.workNow()
    }
  })
  clock.nowMs += 1.01 * HOUR_MS
  const extended = await cpuMs(() => keeper.workNow())
  const { entries } = await db
    .selectFrom('airLog')
    .select((select) => select.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  const keepShare = kept.cpu / (seconds * 1000)
  const extendShare = extended.cpu / HOUR_MS
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  return {
    'of a core: each second’s work': percent(keepShare),
    'of a core: an hour’s extensions': percent(extendShare),
    'of a core in all': percent(keepShare + extendShare),
    'a second’s work, ms': (kept.wall / seconds).toFixed(1),
    'programmes entered': String(entries),
    'memory, MiB': String(Math.round(process.memoryUsage().rss / 1_048_576)),
  }
}

async function cpuMs(work: () => Promise<unknown>): Promise<{ cpu: number; wall: number }> {
  const before = process.cpuUsage()
  const started = performance.now()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1000, wall: performance.now() - started }
}
