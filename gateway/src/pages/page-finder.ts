import type { Brand } from '@looptide/contracts/brand'
import type { Programme } from '@looptide/contracts/http/channels'
import { Playlist } from '@looptide/contracts/http/playlists'
import { Video } from '@looptide/contracts/http/videos'
import type { Logger } from '@looptide/service-kit/logger'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { ChannelStates } from '../channels/channel-states.ts'
import { Memo } from '../http/memo.ts'
import type { PageFacts } from './page-facts.ts'

export interface PageFinderDeps {
  catalogueUrl: string
  states: Pick<ChannelStates, 'onAir' | 'load'>
  brand: Brand
  logger: Logger
  /** Wall clock, epoch ms. */
  now: () => number
}

/** A page is sent without what nobody could tell within this time. */
const TIMEOUT_MS = 700
const KEEP_MS = 60_000
const MAX_KEPT = 500
const DEFAULT_CHANNEL = 'default'

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const VIDEO_PAGE = new RegExp(`^/videos/(${ID})$`)
const PLAYLIST_PAGE = new RegExp(`^/playlists/(${ID})$`)
const CHANNEL = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
/** Pages about the one who looks at them, or about nothing: not for search engines. */
const UNLISTED = ['/admin', '/control', '/auth', '/members', '/search', '/youtube-player', '/home']
const TITLES: Record<string, string> = {
  '/videos': 'All Videos',
  '/history': 'What was on',
  '/firestick': 'Download for Firestick',
}
/** Public pages that are always there, for the site map. */
export const LISTED_PAGES = ['/', '/live', ...Object.keys(TITLES)]

/** What a playlist's page needs; the service may tell more. */
const SharedPlaylist = Type.Pick(Playlist, ['id', 'name', 'description', 'itemCount', 'isPublic'])
const SharedVideo = Type.Pick(Video, [
  'id',
  'title',
  'artistName',
  'description',
  'durationMs',
  'thumbnailUrl',
  'isPublic',
])

/** Tells what the page at an address is about: what is on from memory, videos and playlists asked for as a visitor. */
export class PageFinder {
  readonly #deps: PageFinderDeps
  readonly #kept: Memo<PageFacts>

  constructor(deps: PageFinderDeps) {
    this.#deps = deps
    this.#kept = new Memo({ keepMs: () => KEEP_MS, max: MAX_KEPT, now: deps.now })
  }

  /** `url` is the request's path and query. */
  async find(url: string): Promise<PageFacts> {
    const { pathname, searchParams } = new URL(url, 'http://site')
    if (pathname === '/live') return this.#live(searchParams.get('channel') ?? DEFAULT_CHANNEL)
    const video = VIDEO_PAGE.exec(pathname)?.[1]
    if (video !== undefined) return this.#shared(pathname, () => this.#video(video))
    const playlist = PLAYLIST_PAGE.exec(pathname)?.[1]
    if (playlist !== undefined) return this.#shared(pathname, () => this.#playlist(playlist))
    return this.#plain(pathname)
  }

  /** A thing of the catalogue; of what is not there, or not for everybody, nothing is told. */
  async #shared(pathname: string, ask: () => Promise<PageFacts | undefined>): Promise<PageFacts> {
    const facts = await this.#kept.of(pathname, ask)
    // Not kept: a video that is accepted or a playlist that is made public is there for the next request.
    if (facts === undefined) this.#kept.forget(pathname)
    return facts ?? this.#plain(pathname)
  }

  #plain(pathname: string): PageFacts {
    const { brand } = this.#deps
    const title = TITLES[pathname]
    const isUnlisted =
      (title === undefined && pathname !== '/') ||
      UNLISTED.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`))
    return {
      title: title === undefined ? `${brand.name} · ${brand.tagline}` : `${title} · ${brand.name}`,
      description: `${brand.tagline}. Music videos around the clock from ${brand.location}. Everybody sees the same one at the same second.`,
      path: isUnlisted ? '/' : pathname,
      type: 'website',
      isUnlisted,
    }
  }

  async #live(channelId: string): Promise<PageFacts> {
    const { brand, states } = this.#deps
    const path = channelId === DEFAULT_CHANNEL ? '/live' : `/live?channel=${encodeURIComponent(channelId)}`
    const isKnown = CHANNEL.test(channelId) && (await within(states.load(channelId))) === 'found'
    const [now, next] = isKnown ? states.onAir(channelId) : []
    if (now === undefined)
      return { ...this.#plain('/'), title: `Live TV · ${brand.name}`, path: isKnown ? path : '/live' }
    const upNext = next === undefined ? '' : ` Up next: ${named(next)}.`
    return {
      title: `${named(now)} · LIVE on ${brand.name}`,
      description: `On the air now: ${named(now)}.${upNext} 24/7 • HD Quality.`,
      path,
      type: 'video.other',
      image: now.video.thumbnailUrl ?? undefined,
    }
  }

  async #video(id: string): Promise<PageFacts | undefined> {
    const video = await this.#ask(`/api/videos/${id}`)
    if (!Check(SharedVideo, video) || !video.isPublic) return undefined
    const { title, artistName, description } = video
    return {
      title: `${title} – ${artistName} · ${this.#deps.brand.name}`,
      description: description || `${title} by ${artistName}.`,
      path: `/videos/${id}`,
      type: 'video.other',
      image: video.thumbnailUrl ?? undefined,
      durationS: video.durationMs / 1000,
    }
  }

  async #playlist(id: string): Promise<PageFacts | undefined> {
    const playlist = await this.#ask(`/api/playlists/${id}`)
    if (!Check(SharedPlaylist, playlist) || !playlist.isPublic) return undefined
    const { name, description, itemCount } = playlist
    const videos = `${itemCount} ${itemCount === 1 ? 'video' : 'videos'}`
    return {
      title: `${name} · ${this.#deps.brand.name}`,
      description: description || `A playlist of ${videos}.`,
      path: `/playlists/${id}`,
      type: 'website',
    }
  }

  /** Undefined when there is no answer in time: the page is sent all the same. */
  async #ask(path: string): Promise<unknown> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(this.#deps.catalogueUrl + path, { signal })
      return response.ok ? await response.json() : undefined
    } catch (error) {
      this.#deps.logger.debug({ err: error, path }, 'what a page is about is not known')
      return undefined
    }
  }
}

const named = ({ video }: Programme): string => `${video.title} – ${video.artistName}`

async function within<T>(work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
