import type { Brand } from '@looptide/contracts/brand'
import { AirLogEntry, type VideoProgramme } from '@looptide/contracts/http/channels'
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
  schedulerUrl: string
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
/** An instant in epoch ms. */
const INSTANT = /^\d{1,15}$/
/** A programme that was on: a channel, and an instant within it. */
const AIRING_PAGE = /^\/history\/([^/]+)\/(\d{1,15})$/
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
const AirLogFields = Type.Object({
  items: Type.Array(
    Type.Pick(AirLogEntry, ['title', 'artistName', 'startedAtMs', 'endedAtMs', 'thumbnailUrl']),
  ),
})
const STARTED_AT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/**
 * Loads the metadata of a page: the current programme from memory, past ones from the scheduler, videos and playlists from
 * the catalogue, without a token.
 */
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
    const [, channel = '', airedAt] = AIRING_PAGE.exec(pathname) ?? []
    if (airedAt !== undefined) return this.#past(channel, Number(airedAt), pathname)
    const at = searchParams.get('at') ?? ''
    if (pathname === '/history' && INSTANT.test(at)) {
      const channelId = searchParams.get('channel') ?? DEFAULT_CHANNEL
      return this.#past(channelId, Number(at), `/history?channel=${channelId}&at=${at}`)
    }
    return this.#default(pathname)
  }

  /** Metadata of a video, a playlist or a past programme; that of `otherwise` for one that is missing or not public. */
  async #cached(
    path: string,
    load: () => Promise<PageMetadata | undefined>,
    otherwise = path,
  ): Promise<PageMetadata> {
    const metadata = await this.#memo.get(path, load)
    // Not cached, so that a video or playlist that becomes public is found by the next request.
    if (metadata === undefined) this.#memo.delete(path)
    return metadata ?? this.#default(otherwise)
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
    const video = await this.#fetch(`${this.#deps.catalogueUrl}/api/videos/${id}`)
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
    const playlist = await this.#fetch(`${this.#deps.catalogueUrl}/api/playlists/${id}`)
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

  /** The page of a programme, or the history around it: what was on a channel at an instant. */
  async #past(channelId: string, atMs: number, path: string): Promise<PageMetadata> {
    if (!CHANNEL.test(channelId)) return this.#default('/history')
    const load = async (): Promise<PageMetadata | undefined> => {
      const log = await this.#fetch(
        `${this.#deps.schedulerUrl}/api/channels/${channelId}/air-log?beforeMs=${atMs + 1}&limit=1`,
      )
      const entry = Check(AirLogFields, log) ? log.items[0] : undefined
      if (entry === undefined || entry.endedAtMs <= atMs) return undefined
      const { title, artistName: artist, startedAtMs, thumbnailUrl } = entry
      const { name } = this.#deps.brand
      return {
        title: `${title} – ${artist} · What was on · ${name}`,
        description: `On the air on ${STARTED_AT.format(startedAtMs)} UTC: ${title} – ${artist}.`,
        path,
        type: 'website',
        // One for each programme: search engines list the history itself.
        isUnlisted: true,
        image: thumbnailUrl ?? undefined,
        card: { label: 'What was on', isLive: false, title, detail: artist, stationName: name },
      }
    }
    return this.#cached(path, load, '/history')
  }

  /** Undefined when the service does not respond in time. The page is then sent with default metadata. */
  async #fetch(url: string): Promise<unknown> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await internalFetch(url, { signal })
      return response.ok ? await response.json() : undefined
    } catch (error) {
      this.#deps.logger.debug({ err: error, url }, 'page metadata fetch failed')
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
