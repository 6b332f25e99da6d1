import { randomUUID } from 'node:crypto'
import type { EnsureVideoResult, Playlist } from '@looptide/contracts/http/playlists'
import type { Restriction } from '@looptide/contracts/http/users'
import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { bearerOf } from '@looptide/testkit/client'
import { type Attempt, attempt, isGood, Tally } from './tally.ts'

const REQUEST_TIMEOUT_MS = 15_000
const RETRY_MS = 200
/** Entries after which a new playlist is started; below the limit of a playlist. */
const ITEMS_PER_PLAYLIST = 500

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Ids of the rows whose write was acknowledged. */
export interface Written {
  videos: string[]
  accounts: string[]
  restrictions: string[]
  playlistItems: string[]
}

/**
 * Load generator that writes to several services: adds a YouTube video, registers an account, bans it from the chat and
 * adds the video to a playlist. Each write is retried until it is acknowledged.
 */
export class WriteLoad {
  readonly written: Written = { videos: [], accounts: [], restrictions: [], playlistItems: [] }
  readonly tally = new Tally()
  readonly #url: string
  readonly #token: string
  #loop: Promise<void> | undefined
  #stopped = false
  #playlistId = ''

  constructor(stationUrl: string, adminToken: string) {
    this.#url = stationUrl
    this.#token = adminToken
  }

  start(intervalMs: number): void {
    this.#stopped = false
    this.#loop = this.#run(intervalMs)
  }

  /** Stops after pending writes have been acknowledged; can be started again. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#loop
  }

  /** Number of acknowledged writes. */
  get count(): number {
    return Object.values(this.written).flat().length
  }

  async #run(intervalMs: number): Promise<void> {
    while (!this.#stopped) {
      const videoId = await this.#addVideo()
      const userId = await this.#register()
      await this.#ban(userId)
      await this.#addToPlaylist(videoId)
      await pause(intervalMs)
    }
  }

  async #addVideo(): Promise<string> {
    const youtubeId = randomUUID().replaceAll('-', '').slice(0, 11)
    const urls = [`https://www.youtube.com/watch?v=${youtubeId}`]
    const { body } = await this.#writeUntilAcknowledged('POST', '/api/videos', () => ({ urls }))
    const id = (body as AddVideosResult).lines[0]?.video?.id
    if (id === undefined) throw new Error(`no video was added: ${JSON.stringify(body)}`)
    this.written.videos.push(id)
    return id
  }

  /** Uses a new account for each attempt, because an account whose response was lost may exist or not. */
  async #register(): Promise<string> {
    const account = () => ({ email: `e-${randomUUID()}@example.test`, password: randomUUID() })
    const { body } = await this.#writeUntilAcknowledged('POST', '/auth/v1/signup', account)
    const { id } = (body as { user: { id: string } }).user
    this.written.accounts.push(id)
    return id
  }

  async #ban(userId: string): Promise<void> {
    const ban = () => ({ restrictionType: 'chat_banned', reason: 'power-cut test' })
    const { body } = await this.#writeUntilAcknowledged('POST', `/api/users/${userId}/restrictions`, ban)
    this.written.restrictions.push((body as Restriction).id)
  }

  async #addToPlaylist(videoId: string): Promise<void> {
    if (this.written.playlistItems.length % ITEMS_PER_PLAYLIST === 0) await this.#createPlaylist()
    const path = `/api/playlists/${this.#playlistId}/videos/${videoId}`
    const { body } = await this.#writeUntilAcknowledged('PUT', path, () => undefined)
    this.written.playlistItems.push((body as EnsureVideoResult).item.id)
  }

  async #createPlaylist(): Promise<void> {
    const { body } = await this.#writeUntilAcknowledged('POST', '/api/playlists', () => ({
      name: 'Power cuts',
    }))
    this.#playlistId = (body as Playlist).id
  }

  async #writeUntilAcknowledged(
    method: string,
    path: string,
    body: () => object | undefined,
  ): Promise<Attempt> {
    const startedAtMs = performance.now()
    for (;;) {
      const content = body()
      const headers = {
        ...bearerOf(this.#token),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const sent = content === undefined ? {} : { body: JSON.stringify(content) }
      const answer = await attempt(`${this.#url}${path}`, { method, headers, ...sent }, REQUEST_TIMEOUT_MS)
      if (isGood(answer)) {
        this.tally.good(performance.now() - startedAtMs)
        return answer
      }
      const isTransient = answer.status === 0 || answer.status === 429 || answer.status >= 500
      if (!isTransient) throw new Error(`${method} ${path} was rejected: ${answer.what}`)
      this.tally.bad(answer.what)
      await pause(RETRY_MS)
    }
  }
}
