/**
 * The cost of a channel's timeline by the number of its videos, and of keeping many channels on the air.
 *
 *   node bench/timeline.ts [--videos 100,1000,10000] [--channels 10,100,1000] [--seconds 300]
 *
 * Starts a Postgres of its own. Every figure is a whole transaction with all that belongs to it: lock, plan, rows,
 * events, audit and this process's memory brought up to date. Keeping is done in simulated seconds, one round of
 * work each, as fast as it goes: the share of a core is processor time by simulated time.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createDb, migrate } from '@looptide/service-kit/db'
import { newId } from '@looptide/service-kit/ids'
import { createLogger } from '@looptide/service-kit/logger'
import { freshDatabase, startPostgres, testPostgresVariable } from '@looptide/testkit/postgres'
import pg from 'pg'
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

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`,
)
const postgres = await startPostgres()
process.env[testPostgresVariable] = postgres.url
const postmasterPid = await findPostmaster()
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

/** The fastest of some runs, and the one with the least processor time, in ms. `prepare` is not counted. */
async function best<T>(
  run: (prepared: T, round: number) => Promise<unknown>,
  prepare?: () => Promise<T>,
): Promise<{ wall: number; cpu: number }> {
  let fastest = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY }
  for (let round = 0; round < RUNS; round += 1) {
    const prepared = (await prepare?.()) as T
    const databaseBefore = databaseCpuMs()
    const { wall, cpu } = await cpuMs(() => run(prepared, round))
    const all = cpu + databaseCpuMs() - databaseBefore
    fastest = { wall: Math.min(fastest.wall, wall), cpu: Math.min(fastest.cpu, all) }
  }
  return fastest
}

/** Processor time of all Postgres processes so far (ms), from the kernel; 0 where it does not tell. */
function databaseCpuMs(): number {
  if (!existsSync('/proc/self/schedstat')) return 0
  let sum = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]
      if (Number(parent) !== postmasterPid) continue
      sum += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    } catch {
      // It has ended since the folder was listed.
    }
  }
  return sum
}

/** The parent of the process that serves a connection of ours. */
async function findPostmaster(): Promise<number> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const path = `/proc/${rows[0]?.pid}/stat`
  const parent = existsSync(path) ? readFileSync(path, 'utf8').split(') ')[1]?.split(' ')[1] : undefined
  await client.end()
  return Number(parent)
}

async function byVideos(): Promise<void> {
  for (const shuffled of [false, true]) {
    const table: Record<string, Record<string, number>> = {}
    for (const count of numbers(values.videos)) {
      const station = await scheduler()
      for (const [what, { wall, cpu }] of Object.entries(await timeChannel(station, count, shuffled))) {
        const figures = {
          [`${count}: ms`]: Number(wall.toFixed(1)),
          [`${count}: cpu`]: Number(cpu.toFixed(1)),
        }
        table[what] = { ...table[what], ...figures }
      }
      await station.close()
    }
    const order = shuffled ? 'shuffled' : 'in playlist order'
    console.log(`\nOne channel by its videos, ${order}: ms passed, and ms of processor (ours and Postgres's)`)
    console.table(Object.fromEntries(Object.entries(table).map(([what, row]) => [what, withGrowth(row)])))
  }
}

/** Adds how much more processor time the largest takes than the smallest. */
function withGrowth(row: Record<string, number>): Record<string, number | string> {
  const cpu = Object.entries(row).flatMap(([name, ms]) => (name.endsWith('cpu') ? [ms] : []))
  return { ...row, growth: `× ${((cpu.at(-1) ?? 0) / (cpu[0] ?? 1)).toFixed(1)}` }
}

async function timeChannel(
  station: Scheduler,
  count: number,
  shuffled: boolean,
): Promise<Record<string, { wall: number; cpu: number }>> {
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
  const hourLater = async () => {
    clock.nowMs += 1.5 * HOUR_MS
  }
  const forgotten = async () => {
    await hourLater()
    await db
      .updateTable('channels')
      .set((c) => ({ loopVersion: c('loopVersion', '+', 1) }))
      .execute()
  }
  const stopped = () => streams.stop(id, CAUSE)
  const item = (round: number) => ids.slice(count - 20 + round).slice(0, 1)
  return {
    'start (build 27 hours)': await best(() => streams.start(id, CAUSE), stopped),
    'extend by an hour, first time': await best(extend, forgotten),
    'extend by an hour, remembered': await best(extend, hourLater),
    'edit: add a video': await best((_, round) => playlists.add(id, item(round), CAUSE)),
    'edit: drag the last to the front': await best(
      (items) => playlists.order(id, [...items.slice(-1), ...items.slice(0, -1)], CAUSE),
      order,
    ),
    'edit: turn the whole order round': await best(
      (items) => playlists.order(id, items.reverse(), CAUSE),
      order,
    ),
    'edit: remove one of the next': await best(
      (items, round) => playlists.remove(id, items[round] ?? '', CAUSE),
      order,
    ),
    'rebuild, nothing new': await best(() => db.transaction().execute(replan)),
    'restart (rebuild all)': await best(() => streams.start(id, CAUSE)),
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
