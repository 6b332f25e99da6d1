import { randomIndex, seededRandom } from '@looptide/playhead/random'
import { separateArtists } from '@looptide/playhead/shuffle'

/** The rest of a shuffled cycle whose source has changed. Items are ids. */
export interface ChangedCycle {
  /** Items of the rest that are still in the source, in their present order. */
  kept: readonly string[]
  /** Items that have joined the source. */
  added: readonly string[]
  /** All items of the source. */
  all: readonly string[]
  artistOf: (itemId: string) => string
  /** Artist of the programme before the rest. */
  previousArtist: string | null
  seed: string
}

/** Maximum number of new items that are inserted one by one. With more, the rest is shuffled again. */
const MAX_INSERTED = 100
/** Attempts to find a place between other artists for a new item. */
const MAX_ATTEMPTS = 32

/**
 * The rest of a shuffled cycle after its source has changed. The kept items keep their order, so that an edit changes as
 * little as possible, and new items are inserted at random places. Repeats of an artist are avoided if the counts allow
 * it. If the whole source allows it but the rest of the cycle does not, the result is empty and a new cycle starts.
 */
export function restOfCycle(cycle: ChangedCycle): string[] {
  const { kept, added, all, artistOf, previousArtist } = cycle
  const stable = kept.length > 0 && added.length <= MAX_INSERTED ? insertApart(cycle) : undefined
  const repeatsIn = (order: readonly string[]) => countRepeats(order, artistOf, previousArtist)
  if (stable !== undefined && repeatsIn(stable) === 0) return stable
  const reshuffled = shuffleRest([...kept, ...added], cycle)
  const repeats = repeatsIn(reshuffled)
  if (repeats > 0 && isSeparable(all, artistOf)) return []
  return stable !== undefined && repeatsIn(stable) <= repeats ? stable : reshuffled
}

/** Whether an artist follows itself in the kept rest of a cycle, though the order of a whole cycle could avoid it. */
export const hasAvoidableRepeats = ({
  kept,
  all,
  artistOf,
  previousArtist,
}: Omit<ChangedCycle, 'added' | 'seed'>): boolean =>
  countRepeats(kept, artistOf, previousArtist) > 0 && isSeparable(all, artistOf)

/** Inserts each added item at a random place, between other artists if one is found. The kept items keep their order. */
export function insertApart({
  kept,
  added,
  artistOf,
  previousArtist,
  seed,
}: Omit<ChangedCycle, 'all'>): string[] {
  const random = seededRandom(seed)
  const rest = [...kept]
  const artistAt = (index: number) => {
    const itemId = rest[index]
    return itemId === undefined ? undefined : artistOf(itemId)
  }
  for (const itemId of added) {
    const artist = artistOf(itemId)
    let index = 0
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      index = randomIndex(random, rest.length + 1)
      const before = index === 0 ? previousArtist : artistAt(index - 1)
      if (before !== artist && artistAt(index) !== artist) break
    }
    rest.splice(index, 0, itemId)
  }
  return rest
}

/**
 * Shuffles the rest of a cycle. `separateArtists` orders a ring, while the rest is a line. A ring with one additional
 * member, at which it is opened, gives a line. The order with the fewest repeats is used.
 */
function shuffleRest(
  itemIds: readonly string[],
  { artistOf, previousArtist, seed }: Pick<ChangedCycle, 'artistOf' | 'previousArtist' | 'seed'>,
): string[] {
  const ring = separateArtists(itemIds, artistOf, seed, { previousArtist })
  if (countRepeats(ring, artistOf, previousArtist) === 0) return ring
  const lines = [previousArtist, null].map((gapArtist) => {
    const opened = separateArtists<string | null>(
      [...itemIds, null],
      (itemId) => (itemId === null ? gapArtist : artistOf(itemId)),
      seed,
    )
    const at = opened.indexOf(null)
    return [...opened.slice(at + 1), ...opened.slice(0, at)].filter((itemId) => itemId !== null)
  })
  return [ring, ...lines].reduce((best, order) =>
    countRepeats(order, artistOf, previousArtist) < countRepeats(best, artistOf, previousArtist)
      ? order
      : best,
  )
}

/** The number of items that directly follow one of the same artist. */
export function countRepeats(
  itemIds: readonly string[],
  artistOf: (itemId: string) => string,
  previousArtist: string | null,
): number {
  let before = previousArtist
  let repeats = 0
  for (const itemId of itemIds) {
    const artist = artistOf(itemId)
    if (artist === before) repeats += 1
    before = artist
  }
  return repeats
}

/** Whether a whole cycle can have no repeats: no artist has more than half of the items. */
function isSeparable(itemIds: readonly string[], artistOf: (itemId: string) => string): boolean {
  const counts = new Map<string, number>()
  for (const itemId of itemIds) counts.set(artistOf(itemId), (counts.get(artistOf(itemId)) ?? 0) + 1)
  return itemIds.length > 1 && Math.max(...counts.values()) * 2 <= itemIds.length
}
