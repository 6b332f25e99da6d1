import { randomUUID } from 'node:crypto'
import type { Home } from '@looptide/contracts/http/videos'
import type { CatalogueDb, CurationRow, VideoRow } from '../../db/schema.ts'
import { mostLiked } from '../videos/list-repository.ts'
import { presentVideo } from '../videos/present-video.ts'
import { findListed } from '../videos/video-repository.ts'
import { activeCuration, newestListed } from './curation-repository.ts'
import { pickRandom } from './random-picks.ts'

/** Numbers of videos in the hero, in a row, and in 'Recently Added'. */
const HERO_SIZE = 5
const ROW_SIZE = 15
const NEWEST_SIZE = 12

/**
 * Builds the home page. Curated videos come first. The hero starts with the first active video of its section (at most
 * one) and is filled with random videos up to {@link HERO_SIZE}. 'Featured Content' is filled up to {@link ROW_SIZE}
 * with random videos that are not in the hero. Each curated category has its own row. The same `seed` gives the same
 * random picks. 'Most Liked' is missing until somebody likes a video.
 */
export async function readHome(db: CatalogueDb, seed: string = randomUUID()): Promise<Home> {
  // Separate seeds: with the same picks, 'Featured Content' would contain the same videos as 'All Videos'.
  const draws = [
    { seed: `${seed}:hero`, count: HERO_SIZE + ROW_SIZE },
    { seed: `${seed}:all`, count: ROW_SIZE },
    { seed: `${seed}:featured`, count: HERO_SIZE + ROW_SIZE },
  ]
  const [curation, [heroPicks = [], allPicks = [], featuredPicks = []], newest, liked] = await Promise.all([
    activeCuration(db),
    pickRandom(db, draws),
    newestListed(db, NEWEST_SIZE),
    mostLiked(db, ROW_SIZE),
  ])
  const curated = await curatedVideos(db, curation)
  const section = (type: CurationRow['sectionType'], name: string | null = null): VideoRow[] =>
    curation
      .filter((item) => item.sectionType === type && item.sectionName === name)
      .flatMap((item) => curated.get(item.videoId) ?? [])
  const curatedFeatured = section('featured')
  // 'Featured Content' excludes the hero's videos, so a random hero pick must not be a curated featured video.
  const hero = fillUp(
    section('hero').slice(0, 1),
    heroPicks.filter(({ id }) => !curatedFeatured.some((video) => video.id === id)),
    HERO_SIZE,
    [],
  )
  const featured = fillUp(curatedFeatured, featuredPicks, ROW_SIZE, hero)
  const names = [...new Set(curation.flatMap((item) => item.sectionName ?? []))]
  const rows = [
    { title: 'All Videos', videos: allPicks },
    { title: 'Featured Content', videos: featured },
    { title: 'Recently Added', videos: newest },
    { title: 'Most Liked', videos: liked },
    ...names.map((name) => ({ title: name, videos: section('category', name) })),
  ]
  return {
    hero: hero.map(presentVideo),
    rows: rows
      .filter((row) => row.videos.length > 0)
      .map((row) => ({ title: row.title, videos: row.videos.map(presentVideo) })),
  }
}

/** The first `count` distinct videos of `first`, then `more`, without those in `excluded`. */
function fillUp(
  first: readonly VideoRow[],
  more: readonly VideoRow[],
  count: number,
  excluded: readonly VideoRow[],
): VideoRow[] {
  const excludedIds = new Set(excluded.map((row) => row.id))
  const chosen = new Map<string, VideoRow>()
  for (const row of [...first, ...more]) {
    if (chosen.size >= count) break
    if (!excludedIds.has(row.id)) chosen.set(row.id, row)
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
