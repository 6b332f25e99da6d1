import { randomIndex, seededRandom } from '@looptide/playhead/random'
import type { LibraryVideo } from '../library.ts'

const CATEGORIES = ['Must Watch', 'Classics', 'New Video Submissions'] as const
const GENRES = ['Pop', 'Rock', 'Jazz', 'Soul', 'Electronic'] as const

/**
 * A library of `count` videos like a real one: 2 to 6 minutes, to the millisecond, a few of up to 12 minutes, and about
 * five videos of each artist. The same seed gives the same library.
 */
export function exampleLibrary(count: number, seed = 'library'): LibraryVideo[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const isLong = random() < 0.02
    const durationMs = isLong
      ? 360_000 + randomIndex(random, 360_000)
      : 120_000 + randomIndex(random, 240_000)
    return {
      id: videoId(index),
      durationMs,
      title: `Song ${index}`,
      artistName: `Artist ${randomIndex(random, Math.max(1, Math.ceil(count / 5)))}`,
      category: CATEGORIES[randomIndex(random, CATEGORIES.length)] ?? null,
      genre: GENRES[randomIndex(random, GENRES.length)] ?? 'Pop',
      tags: random() < 0.1 ? ['explicit'] : [],
      addedAtMs: Date.UTC(2026, 0, 1) + index * 60_000,
      likes: randomIndex(random, 1000),
      isListed: true,
    }
  })
}

/** The id of the example video with this number: ids sort by number. */
export function videoId(index: number): string {
  return `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`
}
