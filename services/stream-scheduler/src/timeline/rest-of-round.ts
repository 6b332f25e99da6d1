import { randomIndex, seededRandom } from '@looptide/playhead/random'
import { separateArtists } from '@looptide/playhead/shuffle'
import type { Loop, LoopItem } from './plan-timeline.ts'

/** Where a channel stands when its future is planned anew. */
export interface Standing {
  /** The item on the air. */
  itemId: string
  artist: string | null
  /** What was planned after it in the same round, in order. */
  planned: readonly string[]
  /** What this round has shown already, with the one on the air. */
  aired: ReadonlySet<string>
}

/** Above so many new items a fresh shuffle is better than finding a place for each. */
const MOST_INSERTED = 100

/**
 * How the running round goes on after the loop has changed.
 *
 * In playlist order: after the item on the air; if that was taken out, with the next that was planned and is still
 * there; else from the top. Shuffled: what was planned keeps its order, so that an edit disturbs as little as it
 * can; new items are put in at random places. Same artist back to back is repaired if the counts allow it; where
 * only the rest of the round does not allow it, an empty answer begins a new round.
 */
export function restOfRound(loop: Loop, standing: Standing, seed: string): LoopItem[] {
  return loop.shuffle ? shuffledRest(loop, standing, seed) : orderedRest(loop.items, standing)
}

function orderedRest(items: readonly LoopItem[], { itemId, planned }: Standing): LoopItem[] {
  const places = new Map(items.map((item, place) => [item.itemId, place]))
  const onAir = places.get(itemId)
  if (onAir !== undefined) return items.slice(onAir + 1)
  const next = planned.find((id) => places.has(id))
  return items.slice(next === undefined ? 0 : places.get(next))
}

function shuffledRest({ items }: Loop, standing: Standing, seed: string): LoopItem[] {
  const byId = new Map(items.map((item) => [item.itemId, item]))
  const kept = standing.planned.flatMap((id) => byId.get(id) ?? [])
  const known = new Set(standing.planned)
  const fresh = items.filter((item) => !known.has(item.itemId) && !standing.aired.has(item.itemId))
  const stable =
    kept.length > 0 && fresh.length <= MOST_INSERTED
      ? inserted(kept, fresh, standing.artist, seed)
      : undefined
  if (stable !== undefined && repeats(stable, standing.artist) === 0) return stable
  const anew = apart([...kept, ...fresh], standing.artist, seed)
  const left = repeats(anew, standing.artist)
  if (left > 0 && separable(items)) return []
  return stable !== undefined && repeats(stable, standing.artist) <= left ? stable : anew
}

/** Puts each new item at a random place where it clashes with no neighbour, if some tries find one. */
function inserted(
  kept: readonly LoopItem[],
  fresh: readonly LoopItem[],
  previousArtist: string | null,
  seed: string,
): LoopItem[] {
  const random = seededRandom(seed)
  const rest = [...kept]
  for (const item of fresh) {
    let place = 0
    for (let attempt = 0; attempt < 32; attempt += 1) {
      place = randomIndex(random, rest.length + 1)
      const before = place === 0 ? previousArtist : rest[place - 1]?.artist
      if (before !== item.artist && rest[place]?.artist !== item.artist) break
    }
    rest.splice(place, 0, item)
  }
  return rest
}

/**
 * A shuffle of what is left of a round. `separateArtists` orders a ring; what is left is a line, which can be had
 * from the ring with one more member: the place where it is cut.
 */
function apart(items: readonly LoopItem[], previousArtist: string | null, seed: string): LoopItem[] {
  const artistOf = (item: LoopItem | null): string | null => item?.artist ?? null
  const ring = separateArtists(items, artistOf, seed, { previousArtist })
  if (repeats(ring, previousArtist) === 0) return ring
  const cuts = [previousArtist, null].map((cutArtist) => {
    const cut = separateArtists<LoopItem | null>(
      [...items, null],
      (item) => (item === null ? cutArtist : item.artist),
      seed,
    )
    const at = cut.indexOf(null)
    return [...cut.slice(at + 1), ...cut.slice(0, at)].filter((item) => item !== null)
  })
  return [ring, ...cuts].reduce((best, order) =>
    repeats(order, previousArtist) < repeats(best, previousArtist) ? order : best,
  )
}

/** How many items of a line follow one of the same artist. */
export function repeats(order: readonly LoopItem[], previousArtist: string | null): number {
  return order.filter((item, place) => item.artist === (order[place - 1]?.artist ?? previousArtist)).length
}

/** Can a whole round be without repeats? (No artist with more than half of it.) */
function separable(items: readonly LoopItem[]): boolean {
  const counts = new Map<string, number>()
  for (const { artist } of items) counts.set(artist, (counts.get(artist) ?? 0) + 1)
  return items.length > 1 && Math.max(...counts.values()) * 2 <= items.length
}
