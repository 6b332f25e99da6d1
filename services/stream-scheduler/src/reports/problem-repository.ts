import type { ProblemCountry } from '@looptide/contracts/http/playback-problems'
import { sql } from 'kysely'
import type { Store, VideoRow } from '../db/schema.ts'

/** In SQL, the countries of the error reports of a row of `videos`, the one with the most viewers first. */
export const problemCountries = sql<ProblemCountry[]>`coalesce((
  select jsonb_agg(jsonb_build_object('country', c.country, 'viewers', c.viewers, 'errorCodes', c.codes)
           order by c.viewers desc, c.country)
  from (select r.country, count(*) as viewers, array_agg(distinct r.error_code order by r.error_code) as codes
        from playback_reports r where r.video_id = videos.id and r.kind = 'error' group by r.country) c
), '[]')`

export interface ProblemRow extends VideoRow {
  lastReportedAt: Date
  countries: ProblemCountry[]
}

/**
 * Videos of the library with error reports that are not in quarantine, that of the newest report first, with one row more
 * than `limit` if there is one. `before` is the last row of the previous page.
 */
export async function listProblems(
  db: Store,
  before: { atMs: number; id: string } | null,
  limit: number,
): Promise<ProblemRow[]> {
  const isFollowing =
    before === null
      ? sql`true`
      : sql`(p.last_reported_at, videos.id) < (${new Date(before.atMs)}, ${before.id}::uuid)`
  const { rows } = await sql<ProblemRow>`
    with problems as (
      select video_id, max(reported_at) as last_reported_at
      from playback_reports where kind = 'error' group by video_id
    )
    select videos.*, p.last_reported_at, ${problemCountries} as countries
    from problems p join videos on videos.id = p.video_id
    where videos.removed_at is null and videos.quarantined_at is null and ${isFollowing}
    order by p.last_reported_at desc, videos.id desc limit ${limit + 1}`.execute(db)
  return rows
}
