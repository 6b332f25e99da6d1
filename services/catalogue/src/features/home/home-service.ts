import { randomUUID } from 'node:crypto'
import type { Home } from '@looptide/contracts/http/videos'
import type { CatalogueDb, CurationRow, VideoRow } from '../../db/schema.ts'
import { presentVideo } from '../videos/present-video.ts'
import { findListed } from '../videos/video-repository.ts'
import { activeCuration, newestListed } from './curation-repository.ts'
import { pickRandom } from './random-picks.ts'

/** Sizes of docs/product/viewer.md §9. */
const HERO = 5
const ROW = 15
const NEWEST = 12

/**
 * What the home page shows. What admins have put there comes first: the hero begins with the first
 * active video of its section ("1 video max", docs/product/admin.md §2) and is filled up to 5 at random, 'Featured Content' up to 15 without the hero's; each named category of theirs has a
 * row of its own. The same `seed` gives the same random picks.
 */
export async function readHome(db: CatalogueDb, seed: string = randomUUID()): Promise<Home> {
  // Each has its own draw: from a single one, 'Featured Content' would be 'All Videos' in another order.
  const [curation, heroPicks, allPicks, featuredPicks, newest] = await Promise.all([
    activeCuration(db),
    pickRandom(db, `${seed}:hero`, HERO + ROW),
    pickRandom(db, `${seed}:all`, ROW),
    pickRandom(db, `${seed}:featured`, HERO + ROW),
    newestListed(db, NEWEST),
  ])
  const curated = await curatedVideos(db, curation)
  const section = (type: CurationRow['sectionType'], name: string | null = null): VideoRow[] =>
    curation
      .filter((item) => item.sectionType === type && item.sectionName === name)
      .flatMap((item) => curated.get(item.videoId) ?? [])
  const chosen = section('featured')
  // Chance must not take into the hero what an admin has featured: the row below leaves out the hero's.
  const hero = fillUp(
    section('hero').slice(0, 1),
    heroPicks.filter(({ id }) => !chosen.some((video) => video.id === id)),
    HERO,
    [],
  )
  const featured = fillUp(chosen, featuredPicks, ROW, hero)
  const names = [...new Set(curation.flatMap((item) => item.sectionName ?? []))]
  const rows = [
    { title: 'All Videos', videos: allPicks },
    { title: 'Featured Content', videos: featured },
    { title: 'Recently Added', videos: newest },
    ...names.map((name) => ({ title: name, videos: section('category', name) })),
  ]
  return {
    hero: hero.map(presentVideo),
    rows: rows
      .filter((row) => row.videos.length > 0)
      .map((row) => ({ title: row.title, videos: row.videos.map(presentVideo) })),
  }
}

/** `first`, then others of `more` until there are `count`; nothing of `not`, nothing twice. */
function fillUp(
  first: readonly VideoRow[],
  more: readonly VideoRow[],
  count: number,
  not: readonly VideoRow[],
): VideoRow[] {
  const excluded = new Set(not.map((row) => row.id))
  const chosen = new Map<string, VideoRow>()
  for (const row of [...first, ...more]) {
    if (chosen.size >= count) break
    if (!excluded.has(row.id)) chosen.set(row.id, row)
  }
  return [...chosen.values()]
}

async function curatedVideos(
  db: CatalogueDb,
  curation: readonly CurationRow[],
): Promise<Map<string, VideoRow>> {
  if (curation.length === 0) return new Map()
  const rows = await findListed(
    db,
    curation.map((item) => item.videoId),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
