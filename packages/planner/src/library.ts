import type { SmartQuery } from '@looptide/contracts/schedule'
import { textKey } from '@looptide/contracts/text'

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

/** A past or planned programme on the channel, as far as rules and orders depend on it. */
export interface Airing {
  /** Null if it counts only for {@link turns}. */
  videoId: string | null
  /** Epoch ms. */
  startsAtMs: number
  endsAtMs: number
  /**
   * The videos whose turn it was, where that is not `videoId`: log edits leave programmes out and air other videos in
   * their places. An order by the last airing continues as if they had not.
   */
  turns?: readonly string[]
}

const UNKNOWN_ARTISTS = new Set(['', 'unknown artist'])

/** The key for artist separation. Videos of unknown artists count as different artists. */
export function artistKey(video: Pick<LibraryVideo, 'id' | 'artistName'>): string {
  const artist = textKey(video.artistName)
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
  const tags = keySet(query.tags)
  const genres = keySet(query.genres)
  const artists = keySet(query.artists)
  const excludedArtists = keySet(query.excludedArtists)
  const text = textKey(query.text ?? '')
  return ({ isListed, durationMs, addedAtMs, category, genre, artistName, title, tags: ownTags }) =>
    isListed &&
    durationMs >= minDurationMs &&
    durationMs <= maxDurationMs &&
    addedAtMs >= addedFromMs &&
    (categories.size === 0 || categories.has(category)) &&
    (tags.size === 0 || ownTags.some((tag) => tags.has(textKey(tag)))) &&
    (genres.size === 0 || genres.has(textKey(genre))) &&
    (artists.size === 0 || artists.has(textKey(artistName))) &&
    (excludedArtists.size === 0 || !excludedArtists.has(textKey(artistName))) &&
    (text === '' || textKey(title).includes(text) || textKey(artistName).includes(text))
}

/** Texts as keys that compare without regard to case. */
export const keySet = (texts: readonly string[] = []): ReadonlySet<string> => new Set(texts.map(textKey))
