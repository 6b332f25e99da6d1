import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serviceNames } from '@looptide/backing/service-names'
import { stationServices } from '@looptide/runner/processes/services'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation } from '@looptide/test-station/station'
import type { Backing } from '@looptide/testkit/backing'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startNats } from '@looptide/testkit/nats'
import { startBarePostgres } from '@looptide/testkit/postgres'
import { startRedis } from '@looptide/testkit/redis'
import { SmallDisk } from '@looptide/testkit/small-disk'
import { TcpProxy } from '@looptide/testkit/tcp-proxy'
import { FAN_SETTINGS } from './fan.ts'
import { Load } from './load.ts'

/** Space for Postgres's own 60 MB, its journal and the chat of one test run. */
const DISK_MIB = 320

/** The message of an unexpected error, as services log it. */
const INTERNAL_ERROR_MESSAGE = 'Something went wrong on our side'

export type BackingName = 'postgres' | 'redis' | 'nats'
export const BACKING: readonly BackingName[] = ['postgres', 'redis', 'nats']

interface Line {
  backing: Backing
  line: TcpProxy
}

/**
 * A station under test whose dependencies can fail: Postgres, Redis and NATS are behind TCP proxies that can be cut,
 * Postgres is on a disk that can be filled, and every process has a clock that can be set. It has two schedulers.
 */
export class FaultHarness {
  readonly station: Station
  readonly load: Load
  readonly disk: SmallDisk
  readonly lines: Readonly<Record<BackingName, Line>>
  readonly #clocks: string
  readonly #undo: (() => Promise<unknown>)[]

  constructor(parts: {
    station: Station
    load: Load
    disk: SmallDisk
    lines: Record<BackingName, Line>
    clocks: string
    undo: (() => Promise<unknown>)[]
  }) {
    this.station = parts.station
    this.load = parts.load
    this.disk = parts.disk
    this.lines = parts.lines
    this.#clocks = parts.clocks
    this.#undo = parts.undo
  }

  static async open(): Promise<FaultHarness> {
    const undo: (() => Promise<unknown>)[] = []
    try {
      return await FaultHarness.#open(undo)
    } catch (error) {
      await undoAll(undo)
      throw error
    }
  }

  static async #open(undo: (() => Promise<unknown>)[]): Promise<FaultHarness> {
    const keep = <T>(made: T, remove: () => Promise<unknown>): T => {
      undo.unshift(remove)
      return made
    }
    const lineTo = async (backing: Backing): Promise<Line> => {
      keep(backing, () => backing.stop())
      const line = await TcpProxy.to(backing.url)
      return { backing, line: keep(line, () => line.stop()) }
    }
    const disk = await SmallDisk.make(DISK_MIB)
    keep(disk, () => disk.remove())
    const clocks = await mkdtemp(join(tmpdir(), 'looptide-clocks-'))
    keep(clocks, () => rm(clocks, { recursive: true, force: true }))
    const [postgres, redis, nats] = await Promise.all([
      startBarePostgres({ disk }).then(lineTo),
      startRedis().then(lineTo),
      startNats().then(lineTo),
    ])
    const youtube = await startFakeYoutube()
    keep(youtube, () => youtube.stop())
    const station = await startTestStation({
      fakeYoutube: youtube.url,
      replicas: { 'stream-scheduler': 2 },
      services: withClocks(clocks),
      env: {
        ...FAN_SETTINGS,
        DATABASE_URL: postgres.line.via(postgres.backing.url),
        REDIS_URL: redis.line.via(redis.backing.url),
        NATS_URL: nats.line.via(nats.backing.url),
      },
    })
    keep(station, () => station.stop())
    const load = await Load.start(station.url)
    keep(load, () => load.stop())
    return new FaultHarness({ station, load, disk, lines: { postgres, redis, nats }, clocks, undo })
  }

  /** Connection string of the database that bypasses the proxy. */
  get databaseUrl(): string {
    const url = new URL(this.lines.postgres.backing.url)
    url.pathname = new URL(this.station.databaseUrl).pathname
    return url.href
  }

  /** Sets the clock of one process `offMs` ahead of the machine's. */
  async setClock(name: string, offMs: number): Promise<void> {
    await writeFile(join(this.#clocks, String(this.station.pids[name])), String(offMs))
  }

  /** The last log entries of the station about requests that ended with `internal_error`. */
  internalErrors(): string {
    const entries = serviceNames.flatMap((name) => this.station.logs(name).split('\n'))
    return entries
      .filter((entry) => entry.includes(INTERNAL_ERROR_MESSAGE))
      .slice(-3)
      .join('\n')
  }

  async close(): Promise<void> {
    await undoAll(this.#undo)
  }
}

async function undoAll(undo: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of undo) await step()
}

/** The station's own services, each with a clock that can be set. */
function withClocks(folder: string) {
  const module = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts'))
  module.searchParams.set('folder', folder)
  return stationServices.map((service) => ({
    ...service,
    nodeArgs: [...(service.nodeArgs ?? []), '--import', module.href],
  }))
}
