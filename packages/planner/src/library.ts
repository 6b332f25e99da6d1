import type { SmartQuery } from '@looptide/contracts/schedule'

/** A playable video, as the planner sees it. */
export interface LibraryVideo {
  id: string
  /** Playing time in ms, after trim points. */
  durationMs: number
  title: string
  artistName: string
  category: string | null
  genre: string
  tags: readonly string[]
  /** Epoch ms. */
  addedAtMs: number
  likes: number
  /** In the public library. Others play only where a playlist or a single video names them. */
  isListed: boolean
}

/** An item of a channel's playlist. A video may be on a playlist several times. */
export interface PlaylistItem {
  itemId: string
  videoId: string
}

/** A past or planned airing of a video on the channel. */
export interface Airing {
  videoId: string
  /** Epoch ms. */
  startsAtMs: number
  endsAtMs: number
}

const UNKNOWN_ARTISTS = new Set(['', 'unknown artist'])

/** The key for artist separation. Videos of unknown artists count as different artists. */
export function artistKey(video: Pick<LibraryVideo, 'id' | 'artistName'>): string {
  const artist = video.artistName.trim().toLowerCase()
  return UNKNOWN_ARTISTS.has(artist) ? `video ${video.id}` : artist
}

/**
 * Returns a predicate of listed videos that match a query, apart from `notAiredForHours`, which depends on the time of
 * airing.
 */
export function matcherOf(query: SmartQuery, nowMs: number): (video: LibraryVideo) => boolean {
  const { minDurationMs = 0, maxDurationMs = Number.POSITIVE_INFINITY, addedWithinDays } = query
  const addedFromMs =
    addedWithinDays === undefined ? Number.NEGATIVE_INFINITY : nowMs - addedWithinDays * 86_400_000
  const categories = new Set<string | null>(query.categories)
  const tags = normalisedSet(query.tags)
  const genres = normalisedSet(query.genres)
  const artists = normalisedSet(query.artists)
  const excludedArtists = normalisedSet(query.excludedArtists)
  const text = normalise(query.text ?? '')
  return ({ isListed, durationMs, addedAtMs, category, genre, artistName, title, tags: ownTags }) =>
    isListed &&
    durationMs >= minDurationMs &&
    durationMs <= maxDurationMs &&
    addedAtMs >= addedFromMs &&
    (categories.size === 0 || categories.has(category)) &&
    (tags.size === 0 || ownTags.some((tag) => tags.has(normalise(tag)))) &&
    (genres.size === 0 || genres.has(normalise(genre))) &&
    (artists.size === 0 || artists.has(normalise(artistName))) &&
    (excludedArtists.size === 0 || !excludedArtists.has(normalise(artistName))) &&
    (text === '' || title.toLowerCase().includes(text) || artistName.toLowerCase().includes(text))
}

/** Names as they are compared: without case and outer spaces. */
export const normalise = (text: string): string => text.trim().toLowerCase()

export const normalisedSet = (texts: readonly string[] = []): ReadonlySet<string> =>
  new Set(texts.map(normalise))
