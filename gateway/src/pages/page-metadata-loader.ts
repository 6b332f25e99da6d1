import type { Brand } from '@looptide/contracts/brand'
import type { VideoProgramme } from '@looptide/contracts/http/channels'
import { Playlist } from '@looptide/contracts/http/playlists'
import { Video } from '@looptide/contracts/http/videos'
import { playedMs } from '@looptide/playhead/trim'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { ChannelStateCache } from '../channels/channel-state-cache.ts'
import { Memo } from '../http/memo.ts'
import type { PageMetadata } from './page-metadata.ts'

interface PageMetadataLoaderDeps {
  catalogueUrl: string
  states: Pick<ChannelStateCache, 'programmes' | 'load'>
  brand: Brand
  logger: Logger
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Time limit for loading metadata, in ms. After it, the page is sent with default metadata. */
const TIMEOUT_MS = 700
const TTL_MS = 60_000
const MAX_ENTRIES = 500
const DEFAULT_CHANNEL = 'default'

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const VIDEO_PAGE = new RegExp(`^/videos/(${ID})$`)
const PLAYLIST_PAGE = new RegExp(`^/playlists/(${ID})$`)
const CHANNEL = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
/** Personal pages and pages without content of their own. Search engines must not list them. */
const UNLISTED = ['/admin', '/control', '/auth', '/members', '/search', '/youtube-player', '/home']
const TITLES: Record<string, string> = {
  '/videos': 'All Videos',
  '/history': 'What was on',
  '/firestick': 'Download for Firestick',
}
/** Public pages that always exist, for the site map. */
export const LISTED_PAGES = ['/', '/live', ...Object.keys(TITLES)]

/** The fields of a playlist and a video that metadata uses. */
const PlaylistFields = Type.Pick(Playlist, ['id', 'name', 'description', 'itemCount', 'isPublic'])
const VideoFields = Type.Pick(Video, [
  'id',
  'title',
  'artistName',
  'description',
  'durationMs',
  'startAtMs',
  'endAtMs',
  'thumbnailUrl',
  'isPublic',
])

/** Loads the metadata of a page: the current programme from memory, videos and playlists from the catalogue, without a token. */
export class PageMetadataLoader {
  readonly #deps: PageMetadataLoaderDeps
  readonly #memo: Memo<PageMetadata>

  constructor(deps: PageMetadataLoaderDeps) {
    this.#deps = deps
    this.#memo = new Memo({ ttlMs: () => TTL_MS, maxEntries: MAX_ENTRIES, now: deps.now })
  }

  /** `url` is the request's path and query. */
  async load(url: string): Promise<PageMetadata> {
    const { pathname, searchParams } = new URL(url, 'http://site')
    if (pathname === '/live') return this.#live(searchParams.get('channel') ?? DEFAULT_CHANNEL)
    const video = VIDEO_PAGE.exec(pathname)?.[1]
    if (video !== undefined) return this.#cached(pathname, () => this.#video(video))
    const playlist = PLAYLIST_PAGE.exec(pathname)?.[1]
    if (playlist !== undefined) return this.#cached(pathname, () => this.#playlist(playlist))
    return this.#default(pathname)
  }

  /** Metadata of a video or playlist; the default for one that is missing or not public. */
  async #cached(pathname: string, load: () => Promise<PageMetadata | undefined>): Promise<PageMetadata> {
    const metadata = await this.#memo.get(pathname, load)
    // Not cached, so that a video or playlist that becomes public is found by the next request.
    if (metadata === undefined) this.#memo.delete(pathname)
    return metadata ?? this.#default(pathname)
  }

  #default(pathname: string): PageMetadata {
    const { brand } = this.#deps
    const title = TITLES[pathname]
    const isUnlisted =
      (title === undefined && pathname !== '/') ||
      UNLISTED.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`))
    return {
      title: title === undefined ? `${brand.name} · ${brand.tagline}` : `${title} · ${brand.name}`,
      description: `${brand.tagline}. Music videos around the clock from ${brand.location}. Everyone sees the same video at the same second.`,
      path: isUnlisted ? '/' : pathname,
      type: 'website',
      isUnlisted,
    }
  }

  async #live(channelId: string): Promise<PageMetadata> {
    const { brand, states } = this.#deps
    const path = channelId === DEFAULT_CHANNEL ? '/live' : `/live?channel=${encodeURIComponent(channelId)}`
    const isKnown = CHANNEL.test(channelId) && (await withTimeout(states.load(channelId))) === 'found'
    const programmes = isKnown ? states.programmes(channelId) : []
    // While a card is on the air, the metadata is that of the next video.
    const [now, next] = programmes.filter((programme) => programme.kind === 'video')
    if (now === undefined)
      return {
        ...this.#default('/'),
        title: `Live TV · ${brand.name}`,
        path: isKnown ? path : '/live',
        isEmbeddable: isKnown,
      }
    const upNext = next === undefined ? '' : ` Up next: ${titleOf(next)}.`
    return {
      title: `${titleOf(now)} · LIVE on ${brand.name}`,
      description: `On the air now: ${titleOf(now)}.${upNext} 24/7 • HD Quality.`,
      path,
      isEmbeddable: true,
      type: 'video.other',
      image: now.video.thumbnailUrl ?? undefined,
      card: {
        label: 'Live TV',
        isLive: true,
        title: now.video.title,
        detail: now.video.artistName,
        stationName: brand.name,
      },
    }
  }

  async #video(id: string): Promise<PageMetadata | undefined> {
    const video = await this.#fetch(`/api/videos/${id}`)
    if (!Check(VideoFields, video) || !video.isPublic) return undefined
    const { title, artistName, description } = video
    return {
      title: `${title} – ${artistName} · ${this.#deps.brand.name}`,
      description: description || `${title} by ${artistName}.`,
      path: `/videos/${id}`,
      type: 'video.other',
      image: video.thumbnailUrl ?? undefined,
      durationS: playedMs(video) / 1000,
    }
  }

  async #playlist(id: string): Promise<PageMetadata | undefined> {
    const playlist = await this.#fetch(`/api/playlists/${id}`)
    if (!Check(PlaylistFields, playlist) || !playlist.isPublic) return undefined
    const { name, description, itemCount } = playlist
    const videos = `${itemCount} ${itemCount === 1 ? 'video' : 'videos'}`
    return {
      title: `${name} · ${this.#deps.brand.name}`,
      description: description || `A playlist of ${videos}.`,
      path: `/playlists/${id}`,
      type: 'website',
      card: {
        ...{ label: 'Playlist', isLive: false, title: name, detail: videos },
        stationName: this.#deps.brand.name,
      },
    }
  }

  /** Undefined when the catalogue does not respond in time. The page is then sent with default metadata. */
  async #fetch(path: string): Promise<unknown> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await internalFetch(this.#deps.catalogueUrl + path, { signal })
      return response.ok ? await response.json() : undefined
    } catch (error) {
      this.#deps.logger.debug({ err: error, path }, 'page metadata fetch failed')
      return undefined
    }
  }
}

const titleOf = ({ video }: VideoProgramme): string => `${video.title} – ${video.artistName}`

/** Undefined when the promise does not settle in time. */
async function withTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
