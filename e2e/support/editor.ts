import { randomUUID } from 'node:crypto'
import type { EnsureVideoResult, Playlist } from '@looptide/contracts/http/playlists'
import type { Restriction } from '@looptide/contracts/http/users'
import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { type Attempt, attempt, isGood, Tally } from './tally.ts'

const PATIENCE_MS = 15_000
const RETRY_MS = 200
/** Fewer than a playlist may hold. */
const ITEMS_PER_PLAYLIST = 500

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Ids of the rows whose writing the station has acknowledged. */
export interface Written {
  videos: string[]
  accounts: string[]
  restrictions: string[]
  playlistItems: string[]
}

/**
 * Writes to several services without pause: adds a YouTube video, registers an account, bans it from the chat, and puts
 * the video into a playlist. Each write is repeated until it is acknowledged.
 */
export class Editor {
  readonly written: Written = { videos: [], accounts: [], restrictions: [], playlistItems: [] }
  readonly tally = new Tally()
  readonly #url: string
  readonly #token: string
  #working: Promise<void> | undefined
  #stopped = false
  #playlistId = ''

  constructor(stationUrl: string, adminToken: string) {
    this.#url = stationUrl
    this.#token = adminToken
  }

  start(everyMs: number): void {
    this.#stopped = false
    this.#working = this.#work(everyMs)
  }

  /** Stops after the writes in hand have been acknowledged; may be started again. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#working
  }

  /** How many writes have been acknowledged. */
  get count(): number {
    return Object.values(this.written).flat().length
  }

  async #work(everyMs: number): Promise<void> {
    while (!this.#stopped) {
      const videoId = await this.#addVideo()
      const userId = await this.#register()
      await this.#ban(userId)
      await this.#keep(videoId)
      await pause(everyMs)
    }
  }

  async #addVideo(): Promise<string> {
    const youtubeId = randomUUID().replaceAll('-', '').slice(0, 11)
    const urls = [`https://www.youtube.com/watch?v=${youtubeId}`]
    const { body } = await this.#insist('POST', '/api/videos', () => ({ urls }))
    const id = (body as AddVideosResult).lines[0]?.video?.id
    if (id === undefined) throw new Error(`no video was added: ${JSON.stringify(body)}`)
    this.written.videos.push(id)
    return id
  }

  /** Each attempt is another account: one whose answer was lost may exist or not. */
  async #register(): Promise<string> {
    const account = () => ({ email: `e-${randomUUID()}@example.test`, password: randomUUID() })
    const { body } = await this.#insist('POST', '/auth/v1/signup', account)
    const { id } = (body as { user: { id: string } }).user
    this.written.accounts.push(id)
    return id
  }

  async #ban(userId: string): Promise<void> {
    const ban = () => ({ restrictionType: 'chat_banned', reason: 'power-cut test' })
    const { body } = await this.#insist('POST', `/api/users/${userId}/restrictions`, ban)
    this.written.restrictions.push((body as Restriction).id)
  }

  async #keep(videoId: string): Promise<void> {
    if (this.written.playlistItems.length % ITEMS_PER_PLAYLIST === 0) await this.#makePlaylist()
    const path = `/api/playlists/${this.#playlistId}/videos/${videoId}`
    const { body } = await this.#insist('PUT', path, () => undefined)
    this.written.playlistItems.push((body as EnsureVideoResult).item.id)
  }

  async #makePlaylist(): Promise<void> {
    const { body } = await this.#insist('POST', '/api/playlists', () => ({ name: 'Power cuts' }))
    this.#playlistId = (body as Playlist).id
  }

  async #insist(method: string, path: string, body: () => object | undefined): Promise<Attempt> {
    const startedAtMs = performance.now()
    for (;;) {
      const content = body()
      const headers = {
        authorization: `Bearer ${this.#token}`,
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const sent = content === undefined ? {} : { body: JSON.stringify(content) }
      const answer = await attempt(`${this.#url}${path}`, { method, headers, ...sent }, PATIENCE_MS)
      if (isGood(answer)) {
        this.tally.good(performance.now() - startedAtMs)
        return answer
      }
      const isTransient = answer.status === 0 || answer.status === 429 || answer.status >= 500
      if (!isTransient) throw new Error(`${method} ${path} was refused: ${answer.what}`)
      this.tally.bad(answer.what)
      await pause(RETRY_MS)
    }
  }
}
