import { REQUESTS_SOURCE, type RequestSlot, type ScheduleDocument } from '@looptide/contracts/schedule'
import type { LibraryVideo } from '@looptide/planner/library'
import type { PlannedDocument } from '@looptide/planner/plan'
import type { ChannelRow } from '../db/schema.ts'
import { MIN_PROGRAMME_MS } from '../timeline/rules.ts'
import type { Library } from './library-cache.ts'
import type { LoopItem } from './loop-repository.ts'
import type { ScheduleMaterial } from './schedule-material.ts'

/** The only source of a loop. */
export const LOOP_SOURCE = 'playlist'

const LOOP_CLOCK = 'loop'

/** The viewers' requests that a loop plays. */
export interface LoopRequests {
  /** Each programme with this number is one, at least 2. Without one that may be played, the loop goes on. */
  every: number
  /** The videos that may be requested. */
  library: Library
}

/** What a channel without a schedule says of its requests: a loop chooses them by turns. */
export function loopRequests({ requestEvery }: Pick<ChannelRow, 'requestEvery'>) {
  const requestSlots: RequestSlot[] = requestEvery === null ? [] : ['turns']
  return { takesRequests: requestEvery !== null, requestSlots }
}

/** The schedule of a channel that has none: it repeats its playlist. */
function loopDocument(shuffle: boolean, requests: LoopRequests | undefined): PlannedDocument {
  const document: ScheduleDocument = {
    timeZone: 'UTC',
    defaultSource: LOOP_SOURCE,
    sources: { [LOOP_SOURCE]: { kind: 'playlist', order: shuffle ? 'shuffle' : 'playlist' } },
  }
  if (requests === undefined) return document
  const slots = [
    { source: LOOP_SOURCE, count: requests.every - 1 },
    { source: REQUESTS_SOURCE, fallback: LOOP_SOURCE },
  ]
  return { ...document, clocks: { [LOOP_CLOCK]: slots }, defaultClock: LOOP_CLOCK }
}

/**
 * The material of a loop. Its library consists of its own items, so the library of the station is not read, unless the loop
 * plays requests.
 */
export function loopMaterial(
  items: readonly LoopItem[],
  shuffle: boolean,
  requests?: LoopRequests,
): ScheduleMaterial {
  const own = libraryOf(items)
  return {
    document: loopDocument(shuffle, requests),
    version: 0,
    isLoop: true,
    takesRequests: requests !== undefined,
    library: requests === undefined ? own : withRequestable(own, requests.library),
    playlists: new Map([['', items]]),
  }
}

/** The videos of a loop and those that may be requested. A video that is both is planned with the length that the loop knows. */
function withRequestable(own: Library, requestable: Library): Library {
  const known = joined.get(own)
  if (known?.requestable === requestable) return known.library
  const listed = new Set(requestable.videos.filter(({ isListed }) => isListed).map(({ id }) => id))
  const videos = [
    ...own.videos.map((video) => ({ ...video, isListed: listed.has(video.id) })),
    ...requestable.videos.filter(({ id }) => !own.versions.has(id)),
  ]
  const versions = new Map([...requestable.versions, ...own.versions])
  const library = { checksum: '', videos, versions }
  joined.set(own, { requestable, library })
  return library
}

/** Extensions share the items of the loop and the library, and so their union. */
const joined = new WeakMap<Library, { requestable: Library; library: Library }>()

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
