import { randomUUID } from 'node:crypto'
import type { Channel, NowState } from '@looptide/contracts/http/channels'
import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import type { PersonalTokenList } from '@looptide/contracts/http/personal-tokens'
import type { Playlist, PlaylistPage } from '@looptide/contracts/http/playlists'
import type { SubmissionPage } from '@looptide/contracts/http/submissions'
import type { Me } from '@looptide/contracts/http/users'
import type { Video, VideoPage } from '@looptide/contracts/http/videos'
import { type Random, randomIndex } from '@looptide/playhead/random'
import { choose, pick } from './choices.ts'
import type { Person } from './person.ts'

/** Number of different videos that viewers submit. */
const SUBMITTED_VIDEOS = 400

/**
 * A viewer who chats, edits playlists, submits videos, creates access tokens and reports videos that do not play.
 */
export class Viewer {
  readonly #person: Person
  readonly #random: Random
  /** Number of acknowledged messages. */
  said = 0

  constructor(person: Person, random: Random) {
    this.#person = person
    this.#random = random
  }

  act(): Promise<void> {
    return choose(this.#random, [
      { weight: 10, act: () => this.#talk() },
      { weight: 3, act: () => this.#watch() },
      { weight: 2, act: () => this.#lookAround() },
      { weight: 1, act: () => this.#keepList() },
      { weight: 1, act: () => this.#report() },
      { weight: 1, act: () => this.#submit() },
      { weight: 1, act: () => this.#keepToken() },
      { weight: 1, act: () => this.#turnBackAtProvider() },
    ])
  }

  async #talk(): Promise<void> {
    const channel = await this.#channel()
    if (channel === undefined) return
    const body = { clientId: randomUUID(), message: `I say ${this.said} in ${channel.name}` }
    const posted = await this.#person.ask<ChatMessage>('POST', `/api/chat/channels/${channel.id}/messages`, {
      body,
    })
    if (posted !== null) this.said += 1
  }

  async #watch(): Promise<void> {
    const video = await this.#video()
    if (video !== undefined) await this.#person.ask('POST', `/api/videos/${video.id}/views`)
  }

  async #lookAround(): Promise<void> {
    await this.#person.ask('GET', `/api/home?seed=${randomIndex(this.#random, 64)}`)
    await this.#person.ask('GET', '/api/search?q=e&limit=20')
    const channel = await this.#channel()
    if (channel !== undefined) await this.#person.ask('GET', `/api/channels/${channel.id}/guide`)
  }

  async #keepList(): Promise<void> {
    const page = await this.#person.ask<PlaylistPage>('GET', '/api/playlists')
    const lists = page?.items ?? []
    const [oldest] = lists.toReversed()
    const video = await this.#video()
    if (oldest !== undefined && lists.length > 5) {
      await this.#person.ask('DELETE', `/api/playlists/${oldest.id}`)
    } else if (video !== undefined) {
      const made = await this.#person.ask<Playlist>('POST', '/api/playlists', { body: { name: 'For later' } })
      if (made === null) return
      await this.#person.ask('POST', `/api/playlists/${made.id}/items`, { body: { videoId: video.id } })
    }
  }

  /** Reports that the current video does not play, or its duration. */
  async #report(): Promise<void> {
    const channel = await this.#channel()
    if (channel === undefined) return
    const now = await this.#person.ask<NowState>('GET', `/api/channels/${channel.id}/now`)
    const programme = now?.programmes[0]
    if (programme === undefined) return
    const body = {
      videoId: programme.videoId,
      ...(this.#random() < 0.5 ? { errorCode: 150 } : { durationMs: 200_000 }),
    }
    await this.#person.ask('POST', `/api/channels/${channel.id}/reports`, { body })
  }

  /** Submits a video, sometimes one that another user has submitted, too. */
  async #submit(): Promise<void> {
    const id = `mine${String(randomIndex(this.#random, SUBMITTED_VIDEOS)).padStart(7, '0')}`
    await this.#person.ask('POST', '/api/videos', { body: { urls: [`https://youtu.be/${id}`] } })
  }

  /**
   * Creates a personal access token, or revokes the oldest. It is not used: the gateway exchanges it for an access token
   * of two minutes, which expires before the response at this speed.
   */
  async #keepToken(): Promise<void> {
    const list = await this.#person.ask<PersonalTokenList>('GET', '/api/me/tokens')
    const oldest = list?.items.at(-1)
    if (oldest !== undefined && this.#random() < 0.5) {
      await this.#person.ask('DELETE', `/api/me/tokens/${oldest.id}`, { audited: 'personal_token.revoke' })
    } else {
      const body = { name: 'A script', scopes: ['read'], lifetimeDays: 7 }
      await this.#person.ask('POST', '/api/me/tokens', { body, audited: 'personal_token.create' })
    }
  }

  /** Starts a sign-in at the provider and does not finish it. */
  async #turnBackAtProvider(): Promise<void> {
    const challenge = `code_challenge=${'a'.repeat(43)}&code_challenge_method=s256`
    await this.#person.ask('GET', `/auth/v1/authorize?provider=company&${challenge}`)
  }

  async #channel(): Promise<Channel | undefined> {
    const page = await this.#person.ask<{ items: Channel[] }>('GET', '/api/channels')
    return pick(this.#random, page?.items ?? [])
  }

  async #video(): Promise<Video | undefined> {
    const page = await this.#person.ask<VideoPage>('GET', '/api/videos?limit=50')
    return pick(this.#random, page?.items ?? [])
  }
}

/** A moderator, who decides about submissions, deletes messages, restricts users and sets slow mode. */
export class Moderator {
  readonly #person: Person
  readonly #random: Random
  readonly #now: () => number
  readonly #spared: string

  /** `spared` is an account that is never restricted. */
  constructor(person: Person, random: Random, now: () => number, spared: string) {
    this.#person = person
    this.#random = random
    this.#now = now
    this.#spared = spared
  }

  act(): Promise<void> {
    return choose(this.#random, [
      { weight: 2, act: () => this.#moderateChat() },
      { weight: 1, act: () => this.#review() },
    ])
  }

  /** Accepts half of the oldest submissions and rejects the others. */
  async #review(): Promise<void> {
    const page = await this.#person.ask<SubmissionPage>('GET', '/api/submissions?limit=5')
    const ids = page?.items.map(({ video }) => video.id) ?? []
    if (ids.length === 0) return
    const isGood = this.#random() < 0.5
    await this.#person.ask('POST', `/api/submissions/${isGood ? 'accept' : 'reject'}`, {
      body: isGood ? { ids, category: 'Classics' } : { ids, reason: 'Not music' },
      audited: isGood ? 'video.accept' : 'video.reject',
    })
  }

  async #moderateChat(): Promise<void> {
    const channels = await this.#person.ask<{ items: Channel[] }>('GET', '/api/channels')
    const channel = pick(this.#random, channels?.items ?? [])
    if (channel === undefined) return
    const path = `/api/chat/channels/${channel.id}`
    const page = await this.#person.ask<ChatPage>('GET', `${path}/messages`)
    const message = pick(this.#random, page?.items ?? [])
    if (message === undefined) return
    await choose(this.#random, [
      { weight: 4, act: () => this.#takeDown(path, message) },
      { weight: 2, act: () => this.#timeOut(message.userId) },
      { weight: 1, act: () => this.#slowDown(path, page?.slowModeS ?? 0) },
    ])
  }

  #takeDown(path: string, { id }: ChatMessage): Promise<unknown> {
    return this.#person.ask('DELETE', `${path}/messages/${id}`, { audited: 'chat_message.remove' })
  }

  /** Restricts a user for 12 to 16 simulated hours: a request may take several of them on a busy machine. */
  async #timeOut(userId: string): Promise<void> {
    if (userId === this.#spared) return
    const hours = 12 + randomIndex(this.#random, 5)
    const expiresAt = new Date(this.#now() + hours * 3_600_000).toISOString()
    const body = { restrictionType: 'chat_banned', reason: 'Too loud', expiresAt }
    await this.#person.ask('POST', `/api/users/${userId}/restrictions`, {
      body,
      audited: 'user.restriction.add',
    })
  }

  async #slowDown(path: string, slowModeS: number): Promise<void> {
    const body = { slowModeS: slowModeS === 0 ? 60 : 0 }
    await this.#person.ask('PATCH', `${path}/settings`, { body, audited: 'chat_settings.update' })
  }
}

/** A guest: posts a message, creates a playlist and deletes the account. */
export async function visitOnce(person: Person, random: Random): Promise<void> {
  const me = await person.ask<Me>('GET', '/api/me')
  if (me === null) return
  const guest = new Viewer(person, random)
  for (let times = 0; times < 6; times += 1) await guest.act()
  await person.ask('DELETE', '/api/me', { body: { password: person.account.password } })
}
