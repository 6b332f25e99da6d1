import { type Random, randomIndex, seededRandom, shuffled } from './random.ts'

export interface SeparateOptions {
  /** Maximum repair passes after the plain shuffle. Default: 100. */
  maxPasses?: number
  /** Artist of the programme before the first item. The result does not start with this artist if avoidable. */
  previousArtist?: string | null
}

/** Artist group of each item. An item without an artist is its own group and clashes with no other. */
interface Groups {
  ids: number[]
  previous: number
}

/**
 * Shuffles `items` by `seed` so that no artist follows itself: not inside, not across the seam where a looping
 * list meets its own beginning, and not after `previousArtist`. That holds whenever the counts allow it, i.e. no
 * artist has more than half of at least two items; otherwise the fewest possible repeats remain, spread out.
 *
 * A plain shuffle is repaired by swaps (which keeps it nearly uniform). If that does not finish within
 * `maxPasses`, an order that is right by construction is built instead and mixed. Same input, same output.
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
  const crowded = largest.size * 2 > items.length
  const order = crowded
    ? spreadDominant(plain, ids, largest.id, random)
    : (repaired(plain, ids, maxPasses, random) ?? mixed(interleaved(plain, ids), ids, random))
  return rotated(order, ids, previous).map((index) => items[index] as T)
}

/** How many times an artist follows itself in `artists` played as a loop, plus one if it starts with `previous`. */
export function countRepeats(artists: readonly (string | null)[], previous: string | null = null): number {
  const seams = artists.filter((artist, index) => {
    const before = artists[(index || artists.length) - 1]
    return artist !== null && artist === before
  }).length
  return seams + (previous !== null && artists[0] === previous ? 1 : 0)
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

/** Clash tests on a circular order: whether an item has a neighbour of the same artist. */
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

/** Swaps clashing items with random others where that leaves both places clean; undefined if it cannot finish. */
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
 * Items grouped by artist, largest group first, laid on the even places and then on the odd ones. With no group
 * above half of the ring, no group meets itself, not even where the ring closes.
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

/** Random swaps that keep a clean ring clean, so that a constructed order does not look constructed. */
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
