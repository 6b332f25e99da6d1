import { STREAM_ADMIN } from '@looptide/backing/nats/nats-permissions'
import { serviceNames } from '@looptide/backing/service-names'
import type { StoreName } from '@looptide/runner/station/start-backing'
import type { Station } from '@looptide/runner/station/station'
import { connect, jetstreamManager } from '@looptide/service-kit/events/nats-client'
import { startTestStation, testAdmin } from '@looptide/test-station/station'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { PowerCutDisk } from '@looptide/testkit/power-cut-disk'
import { killTree, signalTree } from '@looptide/testkit/process-tree'
import { FAN_SETTINGS } from './fan.ts'
import { Load } from './load.ts'
import { signIn } from './people.ts'
import { WriteLoad } from './write-load.ts'

/** The image is sparse. JetStream reserves three quarters of the disk for its streams. */
const DISK_MIB = 32_768

const WARNINGS_SHOWN = 40

/** Whether a line of a service's log is a warning or worse (pino's level 40), logged after `sinceMs` (epoch ms). */
function isWarning(line: string, sinceMs: number): boolean {
  try {
    const { level, time } = JSON.parse(line) as { level: number; time: number }
    return level >= 40 && time >= sinceMs
  } catch {
    return false
  }
}

export const STORES: readonly StoreName[] = ['postgres', 'redis', 'nats']

/**
 * A station under load whose Postgres, Redis and NATS, started as `npm start` does, each have a disk whose power can be
 * cut. The station's own processes and the logs are on the machine's disk.
 */
export class PowerCutHarness {
  readonly station: Station
  readonly load: Load
  readonly editor: WriteLoad
  readonly #disks: Record<StoreName, PowerCutDisk>
  readonly #undo: (() => Promise<unknown>)[]

  constructor(
    station: Station,
    load: Load,
    editor: WriteLoad,
    disks: Record<StoreName, PowerCutDisk>,
    undo: (() => Promise<unknown>)[],
  ) {
    this.station = station
    this.load = load
    this.editor = editor
    this.#disks = disks
    this.#undo = undo
  }

  static async open(): Promise<PowerCutHarness> {
    const undo: (() => Promise<unknown>)[] = []
    try {
      return await PowerCutHarness.#open(undo)
    } catch (error) {
      for (const step of undo) await step()
      throw error
    }
  }

  static async #open(undo: (() => Promise<unknown>)[]): Promise<PowerCutHarness> {
    const newDisk = async () => {
      const disk = await PowerCutDisk.make(DISK_MIB)
      undo.unshift(() => disk.remove())
      return disk
    }
    const disks = { postgres: await newDisk(), redis: await newDisk(), nats: await newDisk() }
    const youtube = await startFakeYoutube()
    undo.unshift(() => youtube.stop())
    const { postgres, redis, nats } = disks
    const station = await startTestStation({
      fakeYoutube: youtube.url,
      storeFolders: { postgres: postgres.folder, redis: redis.folder, nats: nats.folder },
      env: { ...FAN_SETTINGS, YOUTUBE_CALLS_PER_SECOND: '1000' },
    })
    undo.unshift(() => station.stop())
    // The configuration files are written once at the start. Their loss is not tested.
    for (const disk of Object.values(disks)) disk.sync()
    const load = await Load.start(station.url)
    undo.unshift(() => load.stop())
    const adminToken = await signIn(station.url, testAdmin.email, testAdmin.password)
    const editor = new WriteLoad(station.url, adminToken, station.secrets.serviceKey)
    return new PowerCutHarness(station, load, editor, disks, undo)
  }

  /** Cuts the power of these stores at the same moment. */
  async cut(stores: readonly StoreName[]): Promise<void> {
    // Processes stop first: none may acknowledge a write that its disk has rejected.
    for (const store of stores) signalTree(this.#pidOf(store), 'SIGSTOP')
    for (const store of stores) this.#disks[store].cut()
    const halted = stores.map((store) => {
      killTree(this.#pidOf(store))
      return this.station.halt(store)
    })
    await Promise.all(halted)
  }

  /** Mounts the disks of these stores again and starts the stores. */
  async restore(stores: readonly StoreName[]): Promise<void> {
    for (const store of stores) this.#disks[store].restore()
    await Promise.all(stores.map((store) => this.station.restart(store)))
  }

  /** What the services have logged since then at level `warn` or above, by service. */
  warningsSince(sinceMs: number): string {
    return serviceNames
      .map((name) => {
        const lines = this.station
          .logs(name)
          .split('\n')
          .filter((line) => isWarning(line, sinceMs))
        return `${name}:\n${lines.slice(-WARNINGS_SHOWN).join('\n')}`
      })
      .join('\n')
  }

  /** The positions of every durable consumer beside its stream's, one line each. */
  async consumerPositions(): Promise<string> {
    const { host, username, password } = new URL(this.station.natsUrlFor(STREAM_ADMIN))
    const nats = await connect({
      servers: host,
      user: username,
      pass: decodeURIComponent(password),
      inboxPrefix: `_INBOX.${STREAM_ADMIN}`,
    })
    try {
      const manager = await jetstreamManager(nats)
      const lines: string[] = []
      for await (const { config, state } of manager.streams.list()) {
        lines.push(`${config.name}: messages ${state.first_seq} to ${state.last_seq}`)
        for await (const consumer of manager.consumers.list(config.name)) {
          const { name, delivered, ack_floor, num_pending, num_ack_pending, num_redelivered, num_waiting } =
            consumer
          const { stream_seq: deliveredSeq } = delivered
          const ackFloor = ack_floor.stream_seq
          const counts = {
            deliveredSeq,
            ackFloor,
            num_pending,
            num_ack_pending,
            num_redelivered,
            num_waiting,
          }
          lines.push(`  ${name}: ${JSON.stringify(counts)}`)
        }
      }
      return lines.join('\n')
    } finally {
      await nats.close()
    }
  }

  #pidOf(store: StoreName): number {
    const pid = this.station.pids[store]
    if (pid === undefined) throw new Error(`${store} does not run`)
    return pid
  }

  async close(): Promise<void> {
    for (const step of this.#undo) await step()
  }
}
