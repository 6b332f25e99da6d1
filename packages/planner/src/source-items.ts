import type { Source } from '@looptide/contracts/schedule'
import { artistKey, type LibraryVideo, matcherOf, type PlaylistItem } from './library.ts'

/** The data that determines the items of a source. */
export interface SourceItemsInput {
  source: Source
  /** Items of the playlist, if the source is one. */
  playlist: readonly PlaylistItem[]
  library: readonly LibraryVideo[]
  /** For queries that depend on a video's age (epoch ms). */
  nowMs: number
}

/** The items of a source in their natural order: of the playlist, else by time of addition. */
export function itemsOf({ source, playlist, library, nowMs }: SourceItemsInput): readonly PlaylistItem[] {
  switch (source.kind) {
    case 'playlist':
      return playlist
    case 'video':
      return [{ itemId: source.videoId, videoId: source.videoId }]
    case 'airings':
      return source.airings.map(({ id, videoId }) => ({ itemId: id, videoId }))
    default:
      return byAddition(library)
        .filter(matcherOf(source.where, nowMs))
        .map(({ id }) => ({ itemId: id, videoId: id }))
  }
}

/** The videos of a source by item, in natural order, without those that are not in the library. */
export function videosOf(input: SourceItemsInput): ReadonlyMap<string, LibraryVideo> {
  const { source, playlist, library } = input
  if (source.kind !== 'playlist') return findVideos(itemsOf(input), library)
  const known = videosOfPlaylists.get(playlist)
  if (known?.library === library) return known.videos
  const videos = findVideos(playlist, library)
  videosOfPlaylists.set(playlist, { library, videos })
  return videos
}

/** Playlists are looked up once: a channel is extended every hour from the same one. */
const videosOfPlaylists = new WeakMap<
  readonly PlaylistItem[],
  { library: readonly LibraryVideo[]; videos: ReadonlyMap<string, LibraryVideo> }
>()

function findVideos(
  items: readonly PlaylistItem[],
  library: readonly LibraryVideo[],
): ReadonlyMap<string, LibraryVideo> {
  const byId = indexOf(library)
  const videos = new Map<string, LibraryVideo>()
  for (const { itemId, videoId } of items) {
    const video = byId.get(videoId)
    if (video !== undefined) videos.set(itemId, video)
  }
  return videos
}

const indexes = new WeakMap<readonly LibraryVideo[], ReadonlyMap<string, LibraryVideo>>()

/** The videos of a library by id. A library is indexed once. */
export function indexOf(library: readonly LibraryVideo[]): ReadonlyMap<string, LibraryVideo> {
  const known = indexes.get(library)
  if (known !== undefined) return known
  const index = new Map(library.map((video) => [video.id, video]))
  indexes.set(library, index)
  return index
}

const librariesByAddition = new WeakMap<readonly LibraryVideo[], readonly LibraryVideo[]>()

/** A library in the order of addition. It is sorted once for all sources. */
function byAddition(library: readonly LibraryVideo[]): readonly LibraryVideo[] {
  const known = librariesByAddition.get(library)
  if (known !== undefined) return known
  const sorted = library.toSorted((a, b) => a.addedAtMs - b.addedAtMs || (a.id < b.id ? -1 : 1))
  librariesByAddition.set(library, sorted)
  return sorted
}

/** Returns the artist of an item. For an item that has left the source, it is an artist that no other item has. */
export const artistIn =
  (videos: ReadonlyMap<string, LibraryVideo>) =>
  (itemId: string): string => {
    const video = videos.get(itemId)
    return video === undefined ? `video ${itemId}` : artistKey(video)
  }
