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
  /** Of sign-ins with a one-time code. */
  sessions: string[]
  restrictions: string[]
  playlistItems: string[]
}

/**
 * Load generator that writes to several services: adds a YouTube video, registers an account, signs in to it with a one-time
 * code, bans it from the chat and adds the video to a playlist. Each write is retried until it is acknowledged.
 */
export class WriteLoad {
  readonly written: Written = { videos: [], accounts: [], sessions: [], restrictions: [], playlistItems: [] }
  readonly tally = new Tally()
  readonly #url: string
  readonly #token: string
  readonly #serviceKey: string
  #loop: Promise<void> | undefined
  #stopped = false
  #playlistId = ''

  constructor(stationUrl: string, adminToken: string, serviceKey: string) {
    this.#url = stationUrl
    this.#token = adminToken
    this.#serviceKey = serviceKey
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
      const { id: userId, email } = await this.#register()
      await this.#redeemCode(email)
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
  async #register(): Promise<{ id: string; email: string }> {
    const account = () => ({ email: `e-${randomUUID()}@example.test`, password: randomUUID() })
    const { body } = await this.#writeUntilAcknowledged('POST', '/auth/v1/signup', account)
    const { user } = body as { user: { id: string; email: string } }
    this.written.accounts.push(user.id)
    return user
  }

  /** Uses a new code for each attempt, because a code whose response was lost may be used up or not. */
  async #redeemCode(email: string): Promise<void> {
    const redeemed = async () => ({ type: 'magiclink', email, token: await this.#issueCode(email) })
    const { body } = await this.#writeUntilAcknowledged('POST', '/auth/v1/verify', redeemed)
    const [, claims = ''] = (body as { access_token: string }).access_token.split('.')
    const { session_id: id } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      session_id: string
    }
    this.written.sessions.push(id)
  }

  async #issueCode(email: string): Promise<string> {
    const path = '/auth/v1/admin/generate_link'
    const link = () => ({ type: 'magiclink', email })
    const { body } = await this.#writeUntilAcknowledged('POST', path, link, this.#serviceKey)
    return (body as { email_otp: string }).email_otp
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
    body: () => object | undefined | Promise<object>,
    token = this.#token,
  ): Promise<Attempt> {
    const startedAtMs = performance.now()
    for (;;) {
      const content = await body()
      const headers = {
        ...bearerOf(token),
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
