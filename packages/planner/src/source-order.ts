import type { Source, SourceOrder } from '@looptide/contracts/schedule'
import { seededRandom, shuffled } from '@looptide/playhead/random'
import { separateArtists } from '@looptide/playhead/shuffle'
import type { LibraryVideo } from './library.ts'
import type { AirHistory } from './rules.ts'

/** Whether the items of a source are aired once, in their order, even if that breaches soft rules: a past evening. */
export const isAiredOnce = ({ kind }: Source): boolean => kind === 'airings'

/** The order of a source: that of the document, or the usual one for its kind. */
export function orderOf(source: Source): SourceOrder {
  if (source.kind === 'video' || source.kind === 'airings') return 'playlist'
  return source.order ?? (source.kind === 'playlist' ? 'playlist' : 'shuffle')
}

/** A cycle of a shuffled source, by number from 0. */
export interface ShuffledCycle {
  seed: string
  source: string
  cycle: number
  /** Artist of the item before the cycle. */
  previousArtist: string | null
}

/**
 * The order of a shuffled cycle: no artist follows itself if the counts allow it. It depends on the order of the items
 * and not on their ids: a simulation adds items whose ids the edit does not have.
 */
export function shuffledOrder(
  itemIds: readonly string[],
  artistOf: (itemId: string) => string,
  cycle: ShuffledCycle,
): string[] {
  return separateArtists(itemIds, artistOf, seedOf(cycle), {
    previousArtist: cycle.previousArtist,
  })
}

/** The same shuffle before artists are separated. */
export function plainShuffle(itemIds: readonly string[], cycle: Omit<ShuffledCycle, 'previousArtist'>) {
  return shuffled(itemIds, seededRandom(seedOf(cycle)))
}

const seedOf = ({ seed, source, cycle }: Omit<ShuffledCycle, 'previousArtist'>) =>
  `${seed}:${source}:${cycle}`

/** The data, apart from its items, that determines the order of a cycle. */
export interface CycleInput extends ShuffledCycle {
  order: SourceOrder
  videos: ReadonlyMap<string, LibraryVideo>
  artistOf: (itemId: string) => string
  history: AirHistory
}

/** The order in which a cycle plays its items, which are given in natural order. */
export function orderOfCycle(ids: readonly string[], input: CycleInput): readonly string[] {
  const { order, videos, artistOf, history, seed, source } = input
  switch (order) {
    case 'playlist':
      return ids
    case 'shuffle':
      return shuffledOrder(ids, artistOf, input)
    case 'newestFirst':
      return ids.toSorted((a, b) => (videos.get(b)?.addedAtMs ?? 0) - (videos.get(a)?.addedAtMs ?? 0))
    case 'mostLiked':
      return ids.toSorted((a, b) => (videos.get(b)?.likes ?? 0) - (videos.get(a)?.likes ?? 0))
    case 'leastRecentlyAired': {
      const shuffledIds = separateArtists(ids, artistOf, `${seed}:${source}`)
      const lastTurns = new Map(ids.map((id) => [id, history.lastTurnOf(videos.get(id)?.id ?? '')]))
      return shuffledIds.sort((a, b) => compare(lastTurns.get(a) ?? 0, lastTurns.get(b) ?? 0))
    }
  }
}

/** Orders numbers of which both may be -Infinity. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)
