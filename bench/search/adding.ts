import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@looptide/backing/free-port'
import type { Envelope } from '@looptide/contracts/events'
import { connect, type NatsConnection } from '@looptide/service-kit/events/nats-client'
import { eventKeyEnv, storeEvent } from '@looptide/testkit/event-keys'
import { startIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { until } from '@looptide/testkit/until'
import type { Library } from './library.ts'
import { makeVideo, makeWords, random } from './texts.ts'

/** Time between a video and its metadata event (ms), as with the metadata worker. */
const DESCRIBED_AFTER_MS = 700
const TICK_MS = 5
const NEWEST = 1_000_000

export interface Adding {
  /** The catalogue process that adds the videos; it answers searches too. */
  url: string
  perSecond: number
  /** Stops adding, waits until all videos are in the library, and returns the counts. */
  stop(): Promise<Added>
}

export interface Added {
  /** Videos that were due, and videos that the catalogue refused (503: overloaded). */
  count: number
  refused: number
  /** The actual rate. */
  perSecond: number
  /** From the time a video was due to the catalogue's answer, ms, sorted. */
  answeredMs: number[]
}

/**
 * Adds `perSecond` videos a second, one request each, as the product does: a separate catalogue process accepts
 * them over HTTP with all triggers, events and audit, its relay publishes the events to a NATS, and the metadata of
 * each returns as an event. The rate does not depend on the answers (open loop).
 */
export async function startAdding(library: Library, perSecond: number): Promise<Adding> {
  const [backing, identity] = await Promise.all([startNats(), startIdentity()])
  // Before the catalogue starts, because it then reads the roles.
  const admin = await identity.createUser('admin')
  const catalogue = await startCatalogue(library, backing.url, identity)
  const nats = await connect({ servers: backing.url })
  const adder = new Adder(catalogue.url, nats, admin, perSecond)
  adder.start()
  return {
    url: catalogue.url,
    perSecond,
    stop: async () => {
      try {
        return await adder.stop(library)
      } finally {
        await nats.close()
        catalogue.process.kill('SIGTERM')
        await once(catalogue.process, 'exit')
        await Promise.all([backing.stop(), identity.stop()])
      }
    },
  }
}

async function startCatalogue(
  { databaseUrl }: Library,
  natsUrl: string,
  { authUrl, internalToken }: { authUrl: string; internalToken: string },
): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort()
  const main = fileURLToPath(new URL('../../services/catalogue/src/main.ts', import.meta.url))
  const env = {
    ...process.env,
    PORT: String(port),
    LOG_LEVEL: 'fatal',
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    AUTH_URL: authUrl,
    INTERNAL_TOKEN: internalToken,
    ...eventKeyEnv('catalogue'),
    // Only deletions use it.
    ADMIN_AUDIT_URL: 'http://127.0.0.1:9',
    RATE_LIMIT_FACTOR: '1000000',
  }
  const child = spawn(process.execPath, [main], { env, stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  await until('the catalogue is ready', async () => (await fetch(`${url}/readyz`)).ok, { timeoutMs: 30_000 })
  return { url, process: child }
}

class Adder {
  readonly #url: string
  readonly #nats: NatsConnection
  readonly #admin: TestUser
  readonly #perSecond: number
  readonly #next = random(2)
  readonly #words = makeWords(this.#next)
  readonly #ending = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  readonly #answeredMs: number[] = []
  #failure: unknown
  #sent = 0
  #refused = 0
  #startedMs = 0
  #running: Promise<void> = Promise.resolve()

  constructor(url: string, nats: NatsConnection, admin: TestUser, perSecond: number) {
    this.#url = url
    this.#nats = nats
    this.#admin = admin
    this.#perSecond = perSecond
  }

  start(): void {
    this.#startedMs = performance.now()
    this.#running = this.#run()
  }

  async stop({ db }: Library): Promise<Added> {
    this.#ending.abort()
    const tookS = (performance.now() - this.#startedMs) / 1000
    await this.#running
    await Promise.all(this.#underWay)
    if (this.#failure !== undefined) throw this.#failure
    // A refused video may exist all the same if the overloaded catalogue answered too late.
    await until(
      'every video is described',
      async () => {
        const pending = await db
          .selectFrom('videos')
          .select('id')
          .where('metadataStatus', '=', 'pending')
          .limit(this.#refused + 1)
          .execute()
        return pending.length <= this.#refused
      },
      { timeoutMs: 60_000 },
    )
    return {
      count: this.#sent,
      refused: this.#refused,
      perSecond: (this.#sent - this.#refused) / tookS,
      answeredMs: this.#answeredMs.toSorted((a, b) => a - b),
    }
  }

  async #run(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const due = Math.floor(((performance.now() - this.#startedMs) * this.#perSecond) / 1000)
      for (; this.#sent < due; this.#sent += 1) {
        const video = this.#addAndDescribe(this.#sent)
          .catch((error: unknown) => {
            this.#failure ??= error
          })
          .finally(() => this.#underWay.delete(video))
        this.#underWay.add(video)
      }
      await pause(TICK_MS)
    }
  }

  async #addAndDescribe(place: number): Promise<void> {
    const youtubeId = `bench${place.toString(36).padStart(6, '0')}`
    const dueMs = this.#startedMs + (place * 1000) / this.#perSecond
    const isAdded = await this.#add(youtubeId)
    this.#answeredMs.push(performance.now() - dueMs)
    if (!isAdded) return
    await pause(DESCRIBED_AFTER_MS)
    await this.#describe(youtubeId, place)
  }

  async #add(youtubeId: string): Promise<boolean> {
    const response = await fetch(`${this.#url}/api/videos`, {
      method: 'POST',
      headers: { ...this.#admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ urls: [`https://youtu.be/${youtubeId}`], genre: 'Pop' }),
    })
    const text = await response.text()
    if (response.ok) return true
    if (response.status !== 503) throw new Error(`adding ${youtubeId}: ${response.status} ${text}`)
    this.#refused += 1
    return false
  }

  async #describe(youtubeId: string, place: number): Promise<void> {
    // The newest of a library of any size: it contains none of the texts of old videos.
    const { title, artist, description } = makeVideo(NEWEST + place, NEWEST + place, this.#words, this.#next)
    const envelope: Envelope<'metadata.video.resolved.v1'> = {
      id: randomUUID(),
      type: 'metadata.video.resolved.v1',
      occurredAt: new Date().toISOString(),
      actorId: null,
      correlationId: null,
      aggregateId: youtubeId,
      aggregateVersion: place,
      data: {
        youtubeId,
        title,
        description,
        thumbnailUrl: null,
        artistName: artist,
        durationMs: 200_000,
        embeddable: true,
        regionBlocked: [],
      },
    }
    await storeEvent(this.#nats, envelope)
  }
}
