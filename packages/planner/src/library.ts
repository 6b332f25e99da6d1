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

/** Whether a listed video matches a query, without `notAiredForHours`, which depends on the time of airing. */
export function matches(video: LibraryVideo, query: SmartQuery, nowMs: number): boolean {
  const { minDurationMs = 0, maxDurationMs = Number.POSITIVE_INFINITY, addedWithinDays } = query
  return (
    video.isListed &&
    video.durationMs >= minDurationMs &&
    video.durationMs <= maxDurationMs &&
    (addedWithinDays === undefined || video.addedAtMs >= nowMs - addedWithinDays * 86_400_000) &&
    (!query.categories?.length || query.categories.some((category) => category === video.category)) &&
    hasOneOf(query.tags, video.tags) &&
    hasOneOf(query.genres, [video.genre]) &&
    hasOneOf(query.artists, [video.artistName]) &&
    !(query.excludedArtists?.length && hasOneOf(query.excludedArtists, [video.artistName])) &&
    containsText(video, query.text)
  )
}

function hasOneOf(wanted: readonly string[] | undefined, values: readonly string[]): boolean {
  if (!wanted?.length) return true
  const normalised = new Set(values.map(normalise))
  return wanted.some((text) => normalised.has(normalise(text)))
}

const normalise = (text: string): string => text.trim().toLowerCase()

function containsText({ title, artistName }: LibraryVideo, text: string | undefined): boolean {
  const part = normalise(text ?? '')
  return part === '' || title.toLowerCase().includes(part) || artistName.toLowerCase().includes(part)
}
