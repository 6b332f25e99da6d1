import { type Random, randomIndex, seededRandom, shuffled } from './random.ts'

export interface SeparateOptions {
  /** Maximum repair passes after the plain shuffle. Default: 100. */
  maxPasses?: number
  /** Artist of the programme before the first item. The result does not start with this artist if avoidable. */
  previousArtist?: string | null
}

/** Artist group of each item, by index. An item without an artist is its own group. */
interface Groups {
  ids: number[]
  previous: number
}

/**
 * Shuffles `items` by `seed` so that no artist follows itself, neither within the list nor from its end to its beginning,
 * and the first item is not by `previousArtist`. If an artist has more than half of the items, the result has the fewest
 * possible repeats, spread over the list. Equal inputs give equal results.
 *
 * A plain shuffle is repaired by swaps, which keeps it nearly uniform. If repeats remain after `maxPasses`, an order
 * without repeats is constructed and then mixed by swaps.
 */
export function separateArtists<T>(
  items: readonly T[],
  artistOf: (item: T) => string | null | undefined,
  seed: string | number,
  options: SeparateOptions = {},
): T[] {
  const { maxPasses = 100, previousArtist = null } = options
  const random = seededRandom(seed)
  const { ids, previous } = group(items.map(artistOf), previousArtist)
  const plain = shuffled([...items.keys()], random)
  const largest = largestGroup(ids)
  const isDominant = largest.size * 2 > items.length
  const order = isDominant
    ? spreadDominant(plain, ids, largest.id, random)
    : (repaired(plain, ids, maxPasses, random) ?? mixed(interleaved(plain, ids), ids, random))
  return rotated(order, ids, previous).map((index) => items[index] as T)
}

/** Number of repeats of an artist in `artists` played as a loop, plus one if it starts with `previous`. */
export function countRepeats(artists: readonly (string | null)[], previous: string | null = null): number {
  const repeats = artists.filter((artist, index) => {
    const before = artists[(index || artists.length) - 1]
    return artist !== null && artist === before
  }).length
  return repeats + (previous !== null && artists[0] === previous ? 1 : 0)
}

function group(artists: readonly (string | null | undefined)[], previousArtist: string | null): Groups {
  const known = new Map<string, number>()
  let next = 0
  const ids = artists.map((artist) => {
    const seen = artist == null ? undefined : known.get(artist)
    if (seen !== undefined) return seen
    const id = next
    next += 1
    if (artist != null) known.set(artist, id)
    return id
  })
  return { ids, previous: (previousArtist === null ? undefined : known.get(previousArtist)) ?? -1 }
}

function largestGroup(ids: readonly number[]): { id: number; size: number } {
  const sizes = groupSizes(ids)
  let best = { id: -1, size: 0 }
  for (const [id, size] of sizes) if (size > best.size) best = { id, size }
  return best
}

function groupSizes(ids: readonly number[]): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const id of ids) sizes.set(id, (sizes.get(id) ?? 0) + 1)
  return sizes
}

/** Tests of a circular order: whether an item clashes, that is, has a neighbour of the same artist. */
function ring(order: readonly number[], ids: readonly number[]) {
  const length = order.length
  const idAt = (place: number) => ids[order[(place + length) % length] ?? -1]
  const clashesBefore = (place: number) => idAt(place) === idAt(place - 1)
  const clashes = (place: number) => clashesBefore(place) || clashesBefore(place + 1)
  return { clashesBefore, clashes }
}

function swap(order: number[], a: number, b: number): void {
  const held = order[a] as number
  order[a] = order[b] as number
  order[b] = held
}

/** Swaps clashing items with random others if neither clashes afterwards; undefined if clashes remain. */
function repaired(
  start: readonly number[],
  ids: readonly number[],
  maxPasses: number,
  random: Random,
): number[] | undefined {
  const order = [...start]
  const { clashesBefore, clashes } = ring(order, ids)
  let fewest = Number.POSITIVE_INFINITY
  for (let pass = 0; pass <= maxPasses; pass += 1) {
    const faulty = [...order.keys()].filter(clashesBefore)
    if (faulty.length === 0) return order
    if (pass > 2 && faulty.length >= fewest) return undefined
    fewest = Math.min(fewest, faulty.length)
    for (const place of faulty) {
      const offset = randomIndex(random, order.length)
      for (let step = 0; step < Math.min(order.length, 64) && clashesBefore(place); step += 1) {
        const other = (offset + step) % order.length
        if (other === place) continue
        swap(order, place, other)
        if (clashes(place) || clashes(other)) swap(order, place, other)
      }
    }
  }
  return undefined
}

/**
 * Assigns items, grouped by artist and largest group first, to the even places and then to the odd ones. If no group has
 * more than half of the items, there are no clashes, also between the last and the first item.
 */
function interleaved(plain: readonly number[], ids: readonly number[]): number[] {
  const sizes = groupSizes(ids)
  const rank = new Map([...sizes].sort((a, b) => b[1] - a[1]).map(([id], index) => [id, index]))
  const rankOf = (index: number) => rank.get(ids[index] ?? -1) ?? 0
  const grouped = plain.toSorted((a, b) => rankOf(a) - rankOf(b))
  const order: number[] = new Array(plain.length)
  let place = 0
  for (const index of grouped) {
    order[place] = index
    place += 2
    if (place >= plain.length && place % 2 === 0) place = 1
  }
  return order
}

/** Mixes an order without clashes by random swaps that cause none. */
function mixed(start: readonly number[], ids: readonly number[], random: Random): number[] {
  const order = [...start]
  const { clashes } = ring(order, ids)
  for (let attempt = 0; attempt < order.length * 4; attempt += 1) {
    const a = randomIndex(random, order.length)
    const b = randomIndex(random, order.length)
    swap(order, a, b)
    if (clashes(a) || clashes(b)) swap(order, a, b)
  }
  return order
}

/** One artist has more than half of the items: the others split that artist's items into the shortest possible runs. */
function spreadDominant(
  plain: readonly number[],
  ids: readonly number[],
  dominant: number,
  random: Random,
): number[] {
  const own = plain.filter((index) => ids[index] === dominant)
  const others = plain.filter((index) => ids[index] !== dominant)
  if (others.length === 0) return own
  const short = Math.floor(own.length / others.length)
  const longer = own.length % others.length
  const runs = shuffled(
    others.map((_, index) => (index < longer ? short + 1 : short)),
    random,
  )
  let taken = 0
  return others.flatMap((other, index) => {
    const run = own.slice(taken, taken + (runs[index] ?? 0))
    taken += run.length
    return [...run, other]
  })
}

/** Rotates the order so that it does not start with the previous artist. Rotation keeps all neighbours. */
function rotated(order: readonly number[], ids: readonly number[], previous: number): number[] {
  const first = order.findIndex((index) => ids[index] !== previous)
  return first > 0 ? [...order.slice(first), ...order.slice(0, first)] : [...order]
}
