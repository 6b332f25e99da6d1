import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { LibraryVideo } from '@looptide/planner/library'
import { MIN_PROGRAMME_MS } from '../timeline/rules.ts'
import type { Library } from './library-cache.ts'
import type { LoopItem } from './loop-repository.ts'
import type { ScheduleMaterial } from './schedule-material.ts'

/** The only source of a loop. */
export const LOOP_SOURCE = 'playlist'

/** The schedule of a channel that has none: it repeats its playlist. */
function loopDocument(shuffle: boolean): ScheduleDocument {
  return {
    timeZone: 'UTC',
    defaultSource: LOOP_SOURCE,
    sources: { [LOOP_SOURCE]: { kind: 'playlist', order: shuffle ? 'shuffle' : 'playlist' } },
  }
}

/** The material of a loop. Its library consists of its own items, so the library of the station is not read. */
export function loopMaterial(items: readonly LoopItem[], shuffle: boolean): ScheduleMaterial {
  return {
    document: loopDocument(shuffle),
    version: 0,
    isLoop: true,
    takesRequests: false,
    library: libraryOf(items),
    playlists: new Map([['', items]]),
  }
}

const libraries = new WeakMap<readonly LoopItem[], Library>()

/** The videos of a loop. Extensions share the items of the cache, and so their library. */
function libraryOf(items: readonly LoopItem[]): Library {
  const known = libraries.get(items)
  if (known !== undefined) return known
  const videos = new Map(items.map((item) => [item.videoId, toVideo(item)]))
  const versions = new Map(items.map(({ videoId, videoVersion }) => [videoId, videoVersion]))
  const library = { checksum: '', videos: [...videos.values()], versions }
  libraries.set(items, library)
  return library
}

/** A loop depends on the length and the artist of a video only. */
const toVideo = ({ videoId, durationMs, artist }: LoopItem): LibraryVideo => ({
  id: videoId,
  durationMs: Math.max(durationMs, MIN_PROGRAMME_MS),
  artistName: artist,
  title: '',
  category: null,
  genre: '',
  tags: [],
  addedAtMs: 0,
  likes: 0,
  isListed: false,
})
