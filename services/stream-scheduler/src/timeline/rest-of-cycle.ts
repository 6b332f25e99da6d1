import { randomIndex, seededRandom } from '@looptide/playhead/random'
import { separateArtists } from '@looptide/playhead/shuffle'
import type { Loop, LoopItem } from './plan-loop.ts'

/** The state of the current cycle when a channel's future is planned again. */
export interface CycleState {
  /** The item on the air; null if it is a card. */
  itemId: string | null
  artist: string | null
  /** Items planned after it in the same cycle, in order. */
  planned: readonly string[]
  /** Items that this cycle has played, with the one on the air. */
  aired: ReadonlySet<string>
}

/** With more new items than this, the rest is shuffled again instead of inserting each item. */
const MAX_INSERTED = 100

/**
 * The rest of the current cycle after the loop has changed.
 *
 * In playlist order: the items after the one on the air. If that was removed, from the next planned item that is still
 * in the loop, else from the beginning. Shuffled: the planned items keep their order, so that an edit changes as little
 * as possible, and new items are inserted at random places. Repeats of an artist are avoided if the counts allow it. If
 * the whole loop allows it but the rest of the cycle does not, the answer is empty and a new cycle starts.
 */
export function restOfCycle(loop: Loop, state: CycleState, seed: string): LoopItem[] {
  return loop.shuffle ? shuffledRest(loop, state, seed) : orderedRest(loop.items, state)
}

function orderedRest(items: readonly LoopItem[], { itemId, planned }: CycleState): LoopItem[] {
  const indexes = new Map(items.map((item, index) => [item.itemId, index]))
  const onAir = itemId === null ? undefined : indexes.get(itemId)
  if (onAir !== undefined) return items.slice(onAir + 1)
  const next = planned.find((id) => indexes.has(id))
  return items.slice(next === undefined ? 0 : indexes.get(next))
}

function shuffledRest({ items }: Loop, state: CycleState, seed: string): LoopItem[] {
  const byId = new Map(items.map((item) => [item.itemId, item]))
  const kept = state.planned.flatMap((id) => byId.get(id) ?? [])
  const known = new Set(state.planned)
  const added = items.filter((item) => !known.has(item.itemId) && !state.aired.has(item.itemId))
  const stable =
    kept.length > 0 && added.length <= MAX_INSERTED ? insertItems(kept, added, state.artist, seed) : undefined
  if (stable !== undefined && countRepeats(stable, state.artist) === 0) return stable
  const reshuffled = shuffleRest([...kept, ...added], state.artist, seed)
  const repeats = countRepeats(reshuffled, state.artist)
  if (repeats > 0 && isSeparable(items)) return []
  return stable !== undefined && countRepeats(stable, state.artist) <= repeats ? stable : reshuffled
}

/** Inserts each new item at a random index, with up to 32 attempts to find one between other artists. */
function insertItems(
  kept: readonly LoopItem[],
  added: readonly LoopItem[],
  previousArtist: string | null,
  seed: string,
): LoopItem[] {
  const random = seededRandom(seed)
  const rest = [...kept]
  for (const item of added) {
    let index = 0
    for (let attempt = 0; attempt < 32; attempt += 1) {
      index = randomIndex(random, rest.length + 1)
      const before = index === 0 ? previousArtist : rest[index - 1]?.artist
      if (before !== item.artist && rest[index]?.artist !== item.artist) break
    }
    rest.splice(index, 0, item)
  }
  return rest
}

/**
 * Shuffles the rest of a cycle. `separateArtists` orders a ring, while the rest is a line. A ring with one additional
 * member, at which it is cut, gives a line. The order with the fewest repeats wins.
 */
function shuffleRest(items: readonly LoopItem[], previousArtist: string | null, seed: string): LoopItem[] {
  const artistOf = (item: LoopItem | null): string | null => item?.artist ?? null
  const ring = separateArtists(items, artistOf, seed, { previousArtist })
  if (countRepeats(ring, previousArtist) === 0) return ring
  const lines = [previousArtist, null].map((cutArtist) => {
    const cut = separateArtists<LoopItem | null>(
      [...items, null],
      (item) => (item === null ? cutArtist : item.artist),
      seed,
    )
    const at = cut.indexOf(null)
    return [...cut.slice(at + 1), ...cut.slice(0, at)].filter((item) => item !== null)
  })
  return [ring, ...lines].reduce((best, order) =>
    countRepeats(order, previousArtist) < countRepeats(best, previousArtist) ? order : best,
  )
}

/** The number of items that directly follow one of the same artist. */
export function countRepeats(order: readonly LoopItem[], previousArtist: string | null): number {
  return order.filter((item, index) => item.artist === (order[index - 1]?.artist ?? previousArtist)).length
}

/** Whether a whole cycle can have no repeats: no artist has more than half of the items. */
function isSeparable(items: readonly LoopItem[]): boolean {
  const counts = new Map<string, number>()
  for (const { artist } of items) counts.set(artist, (counts.get(artist) ?? 0) + 1)
  return items.length > 1 && Math.max(...counts.values()) * 2 <= items.length
}
