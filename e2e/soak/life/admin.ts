import type { ChannelPlaylistPage } from '@looptide/contracts/http/channel-playlists'
import type { Channel } from '@looptide/contracts/http/channels'
import type { AddVideosResult, Video, VideoPage } from '@looptide/contracts/http/videos'
import { type Random, randomIndex, shuffled } from '@looptide/playhead/random'
import type { FakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { type Choice, choose, pick } from './choices.ts'
import type { Person } from './person.ts'

/** Maximum number of channels and videos: enough for all actions, few enough for a short test. */
const MOST_CHANNELS = 5
const MOST_VIDEOS = 60
const FEWEST_VIDEOS = 20
/** The channel that no admin changes: its air log must be one span without a gap. */
export const QUIET_CHANNEL = 'test-card'

/** An admin who changes channels, playlists, the library and the home page, one random action after another. */
export class BusyAdmin {
  readonly #person: Person
  readonly #youtube: FakeYoutube
  readonly #random: Random
  #channels: Channel[] = []
  #videos: Video[] = []
  #count = 0

  constructor(person: Person, youtube: FakeYoutube, random: Random) {
    this.#person = person
    this.#youtube = youtube
    this.#random = random
  }

  /** Reads the present state and does one random action. */
  async act(): Promise<void> {
    await this.#look()
    await choose(this.#random, [...this.#withChannels(), ...this.#withLibrary()])
  }

  async #look(): Promise<void> {
    const channels = await this.#person.ask<{ items: Channel[] }>('GET', '/api/channels')
    const videos = await this.#person.ask<VideoPage>('GET', '/api/videos?all=true&limit=100')
    this.#channels = channels?.items.filter(({ id }) => id !== QUIET_CHANNEL) ?? []
    this.#videos = videos?.items.filter(({ youtubeId }) => youtubeId !== null) ?? []
  }

  #withChannels(): Choice[] {
    return [
      { weight: 6, act: () => this.#stream() },
      { weight: 3, act: () => this.#makeChannel() },
      { weight: 1, act: () => this.#dropChannel() },
      { weight: 4, act: () => this.#switchShuffle() },
      { weight: 12, act: () => this.#extendPlaylist() },
      { weight: 6, act: () => this.#editPlaylist() },
      { weight: 2, act: () => this.#livePlaylist() },
      { weight: 2, act: () => this.#quarantine() },
      { weight: 3, act: () => this.#takeOver() },
    ]
  }

  #withLibrary(): Choice[] {
    return [
      { weight: 8, act: () => this.#addVideos() },
      { weight: 4, act: () => this.#deleteVideo() },
      { weight: 3, act: () => this.#move() },
      { weight: 8, act: () => this.#changeAtYoutube() },
      { weight: 3, act: () => this.#curate() },
    ]
  }

  async #stream(): Promise<void> {
    const channel = pick(this.#random, this.#channels)
    if (channel === undefined) return
    const action = channel.status === 'idle' ? 'start' : pick(this.#random, ['stop', 'reset', 'start'])
    const request = { body: { action }, audited: `stream.${action}` }
    await this.#person.ask('POST', `/api/channels/${channel.id}/stream`, request)
  }

  /** Starts or ends a takeover. Some are refused by the guard, or because another one is on the air. */
  async #takeOver(): Promise<void> {
    const channel = pick(
      this.#random,
      this.#channels.filter(({ status }) => status === 'live'),
    )
    const video = pick(this.#random, this.#videos)
    if (channel === undefined || video === undefined) return
    const path = `/api/channels/${channel.id}/takeover`
    if (this.#random() < 0.4) {
      await this.#person.ask('DELETE', path, { audited: 'takeover.stop' })
      return
    }
    const returnPolicy = pick(this.#random, ['join', 'continue'])
    const body = { videoIds: [video.id], until: 'content', returnPolicy }
    await this.#person.ask('POST', path, { body, audited: 'takeover.start' })
  }

  async #makeChannel(): Promise<void> {
    if (this.#channels.length >= MOST_CHANNELS) return
    this.#count += 1
    const body = { name: `Channel ${this.#count}` }
    const made = await this.#person.ask<Channel>('POST', '/api/channels', { body, audited: 'channel.create' })
    if (made === null) return
    await this.#addTo(made.id, 6)
    const request = { body: { action: 'start' }, audited: 'stream.start' }
    await this.#person.ask('POST', `/api/channels/${made.id}/stream`, request)
  }

  async #dropChannel(): Promise<void> {
    const others = this.#channels.filter(({ id }) => id !== 'default')
    const channel = others.length > 2 ? pick(this.#random, others) : undefined
    if (channel === undefined) return
    await this.#person.ask('DELETE', `/api/channels/${channel.id}`, { audited: 'channel.delete' })
  }

  async #switchShuffle(): Promise<void> {
    const channel = pick(this.#random, this.#channels)
    if (channel === undefined) return
    const body = { shuffleEnabled: !channel.shuffleEnabled }
    await this.#person.ask('PATCH', `/api/channels/${channel.id}`, { body, audited: 'channel.update' })
  }

  async #extendPlaylist(): Promise<void> {
    const channel = pick(
      this.#random,
      this.#channels.filter(({ id }) => id !== 'default'),
    )
    if (channel !== undefined) await this.#addTo(channel.id, 1 + randomIndex(this.#random, 3))
  }

  async #addTo(channelId: string, count: number): Promise<void> {
    const videoIds = shuffled(this.#videos, this.#random)
      .slice(0, count)
      .map(({ id }) => id)
    if (videoIds.length === 0) return
    const body = { videoIds, ...(this.#random() < 0.3 && { position: 1 }) }
    await this.#person.ask('POST', `/api/channels/${channelId}/playlist`, { body, audited: 'playlist.add' })
  }

  async #editPlaylist(): Promise<void> {
    const channel = pick(this.#random, this.#channels)
    if (channel === undefined) return
    const path = `/api/channels/${channel.id}/playlist`
    const page = await this.#person.ask<ChannelPlaylistPage>('GET', `${path}?limit=100`)
    const ids = page?.items.map(({ id }) => id) ?? []
    const one = pick(this.#random, ids)
    if (one === undefined) return
    if (ids.length > 20 || this.#random() < 0.3) {
      await this.#person.ask('DELETE', `${path}/${one}`, { audited: 'playlist.remove' })
    } else {
      const body = { itemIds: shuffled(ids, this.#random) }
      await this.#person.ask('PUT', `${path}/order`, { body, audited: 'playlist.order' })
    }
  }

  async #livePlaylist(): Promise<void> {
    const videoIds = this.#videos.slice(0, 5).map(({ id }) => id)
    if (this.#random() < 0.5 || videoIds.length === 0) {
      await this.#person.ask('DELETE', '/api/live-playlist', { audited: 'playlist.clear' })
    } else {
      await this.#person.ask('POST', '/api/live-playlist', { body: { videoIds }, audited: 'playlist.add' })
    }
  }

  /** Releases the quarantined videos. */
  async #quarantine(): Promise<void> {
    const page = await this.#person.ask<{ items: { videoId: string }[] }>('GET', '/api/channels/quarantine')
    for (const { videoId } of page?.items ?? []) {
      const path = `/api/channels/quarantine/${videoId}`
      await this.#person.ask('DELETE', path, { audited: 'quarantine.release' })
    }
  }

  async #addVideos(): Promise<void> {
    if (this.#videos.length >= MOST_VIDEOS) return
    const urls = Array.from({ length: 1 + randomIndex(this.#random, 5) }, () => {
      this.#count += 1
      return `https://youtu.be/week${String(this.#count).padStart(7, '0')}`
    })
    await this.#person.ask<AddVideosResult>('POST', '/api/videos', { body: { urls }, audited: 'video.add' })
  }

  async #deleteVideo(): Promise<void> {
    const video = this.#videos.length > FEWEST_VIDEOS ? pick(this.#random, this.#videos) : undefined
    if (video === undefined) return
    await this.#person.ask('DELETE', '/api/videos', { body: { ids: [video.id] }, audited: 'video.delete' })
  }

  async #move(): Promise<void> {
    const video = pick(this.#random, this.#videos)
    if (video === undefined) return
    const category = video.category === 'Classics' ? 'Must Watch' : 'Classics'
    const body = { ids: [video.id], category }
    await this.#person.ask('POST', '/api/videos/move', { body, audited: 'video.move' })
  }

  /** Changes a video's duration or state at YouTube and updates its metadata. */
  async #changeAtYoutube(): Promise<void> {
    const video = pick(this.#random, this.#videos)
    if (video === undefined || video.youtubeId === null) return
    const isAway = video.metadataStatus === 'unavailable'
    const state =
      isAway || this.#random() < 0.6 ? 'public' : pick(this.#random, ['private', 'removed'] as const)
    const durationS = 60 + randomIndex(this.#random, 600)
    this.#youtube.set(video.youtubeId, { durationS, state: state ?? 'public' })
    const body = { ids: [video.id] }
    await this.#person.ask('POST', '/api/videos/update-metadata', {
      body,
      audited: 'video.update_metadata',
    })
  }

  async #curate(): Promise<void> {
    const page = await this.#person.ask<{ items: { id: string }[] }>('GET', '/api/curation')
    const item = pick(this.#random, page?.items ?? [])
    const video = pick(this.#random, this.#videos)
    if (item !== undefined && (page?.items.length ?? 0) > 10) {
      await this.#person.ask('DELETE', `/api/curation/${item.id}`, { audited: 'home.remove' })
    } else if (video !== undefined) {
      const body = { videoId: video.id, sectionType: pick(this.#random, ['hero', 'featured']) }
      await this.#person.ask('POST', '/api/curation', { body, audited: 'home.add' })
    }
  }
}
