import type { ProblemCountry } from '@looptide/contracts/http/playback-problems'
import { sql } from 'kysely'
import type { Store, VideoRow } from '../../db/schema.ts'

export interface ProblemRow extends VideoRow {
  viewers: number
  lastReportedAt: Date
  countries: ProblemCountry[]
}

/**
 * Videos of the library with error reports, that of the newest report first, with one row more than `limit` if there is
 * one. `before` is the last row of the previous page.
 */
export async function listProblems(
  db: Store,
  before: { atMs: number; id: string } | null,
  limit: number,
): Promise<ProblemRow[]> {
  const { rows } = await sql<ProblemRow>`
    with by_country as (
      select video_id, country, count(*) as viewers, max(reported_at) as last_reported_at,
             array_agg(distinct error_code order by error_code) as error_codes
      from playback_reports where kind = 'error' group by video_id, country
    ), problems as (
      select video_id, sum(viewers)::int as viewers, max(last_reported_at) as last_reported_at,
             jsonb_agg(jsonb_build_object('country', country, 'viewers', viewers, 'errorCodes', error_codes)
               order by viewers desc, country) as countries
      from by_country group by video_id
    )
    select v.*, p.viewers, p.last_reported_at, p.countries
    from problems p join videos v on v.id = p.video_id and v.removed_at is null
    where ${before === null ? sql`true` : sql`(p.last_reported_at, v.id) < (${new Date(before.atMs)}, ${before.id}::uuid)`}
    order by p.last_reported_at desc, v.id desc limit ${limit + 1}`.execute(db)
  return rows
}
