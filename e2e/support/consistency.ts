import { withClient } from '@looptide/backing/database/set-up'
import { until } from '@looptide/testkit/until'
import type { Written } from './write-load.ts'

/** Time for a video's metadata: a lost job is requested again within a minute, and then looked up. */
const SETTLE_MS = 75_000

/** Each statement returns a row for each acknowledged write that is missing, or for each difference between a projection and its source; `:kind` stands for the written ids. */
const CHECKS = {
  'an acknowledged video is not in the catalogue': `
    select id from unnest(:videos::uuid[]) id where not exists (select from catalogue.videos v where v.id = id.id)`,
  'an acknowledged account is missing': `
    select id from unnest(:accounts::uuid[]) id where not exists (select from auth.users u where u.id = id.id)`,
  'an acknowledged session of a one-time code is missing': `
    select id from unnest(:sessions::uuid[]) id where not exists (select from auth.sessions s where s.id = id.id)`,
  'a one-time code is valid after its session has begun': `
    select t.id from auth.one_time_tokens t join auth.sessions s using (user_id) where s.id = any(:sessions::uuid[])`,
  'an acknowledged ban is missing': `
    select id from unnest(:restrictions::uuid[]) id
    where not exists (select from auth.user_restrictions r where r.id = id.id)`,
  'an acknowledged playlist entry is missing': `
    select id from unnest(:playlistItems::uuid[]) id
    where not exists (select from catalogue.youtube_playlist_items i where i.id = id.id)`,
  "the scheduler's videos differ from the catalogue's": `
    (select id, title, is_public, metadata_status, duration_ms from catalogue.videos
     except select id, title, is_public, metadata_status, duration_ms from scheduler.videos where removed_at is null)
    union all
    (select id, title, is_public, metadata_status, duration_ms from scheduler.videos where removed_at is null
     except select id, title, is_public, metadata_status, duration_ms from catalogue.videos)`,
  "the chat's profiles differ from auth's": `
    select user_id, handle from auth.profiles except select user_id, handle from chat.profiles`,
  "the chat's restrictions differ from auth's": `
    (select id, user_id from auth.user_restrictions
     except select id, user_id from chat.restrictions where not is_lifted)
    union all
    (select id, user_id from chat.restrictions where not is_lifted
     except select id, user_id from auth.user_restrictions)`,
  'an added video is not in the audit log exactly once': `
    select id from unnest(:videos::uuid[]) id
    where (select count(*) from admin_audit.audit_log l
           where l.action = 'video.add' and l.target_id = id.id::text) <> 1`,
  'a ban is not in the audit log': `
    select r.user_id from auth.user_restrictions r where r.id = any(:restrictions::uuid[])
    and not exists (select from admin_audit.audit_log l where l.target_user_id = r.user_id)`,
  'a video still waits for its metadata': `
    select id from catalogue.videos where id = any(:videos::uuid[]) and metadata_status = 'pending'`,
} as const

export type Differences = Partial<Record<keyof typeof CHECKS, number>>

/**
 * Counts acknowledged writes that are missing and rows in which a projection differs from its source, all at one moment:
 * a change between two statements would pass both and still be under way.
 */
async function findDifferences(databaseUrl: string, written: Written): Promise<Differences> {
  return withClient(databaseUrl, async (client) => {
    const found: Differences = {}
    await client.query('begin isolation level repeatable read read only')
    for (const [name, sql] of Object.entries(CHECKS)) {
      const ids = Object.entries(written).find(([kind]) => sql.includes(`:${kind}::`))
      const text = ids === undefined ? sql : sql.replaceAll(`:${ids[0]}::`, '$1::')
      const { rowCount } = await client.query(text, ids === undefined ? [] : [ids[1]])
      if (rowCount !== null && rowCount > 0) found[name as keyof typeof CHECKS] = rowCount
    }
    await client.query('commit')
    return found
  })
}

/**
 * Waits until every acknowledged write is there and every projection equals its source.
 *
 * @returns what still differs when the time for it is over
 */
export async function settle(databaseUrl: string, written: Written): Promise<Differences> {
  const isSettled = async () => Object.keys(await findDifferences(databaseUrl, written)).length === 0
  try {
    await until('everything has settled', isSettled, { timeoutMs: SETTLE_MS })
    return {}
  } catch {
    return findDifferences(databaseUrl, written)
  }
}
