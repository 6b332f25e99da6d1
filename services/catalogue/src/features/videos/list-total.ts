import type { VideoPage } from '@looptide/contracts/http/videos'
import type { Queries } from '../../db/schema.ts'
import { countUpTo, type ListOptions } from './list-repository.ts'
import { countVideos } from './video-repository.ts'

/** Videos with a tag are counted up to this number; all others have stored counts. */
const MAX_COUNTED = 1000

/** The total of a list without a search text. */
export async function totalOf(
  db: Queries,
  list: Pick<ListOptions, 'category' | 'tag' | 'includePrivate'>,
): Promise<Pick<VideoPage, 'total' | 'isTotalCapped'>> {
  if (list.tag === undefined) return { total: await countVideos(db, list) }
  const counted = await countUpTo(db, list, MAX_COUNTED + 1)
  return counted > MAX_COUNTED ? { total: MAX_COUNTED, isTotalCapped: true } : { total: counted }
}
