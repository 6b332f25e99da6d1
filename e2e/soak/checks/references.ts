import type { AnyNote } from '@looptide/service-kit/db/tables'
import { NOTED_COLUMNS } from '../../support/service-tables.ts'

/** A column that holds the id of a row elsewhere, without a foreign key. */
export interface Reference {
  /** `schema.table.column` */
  column: string
  /** Condition of an orphaned row (`t` is the table). Without one, the column may hold the id of a deleted row. */
  orphan?: string
}

const missing = (id: string, table: string): string =>
  `not exists (select from ${table} r where r.id = t.${id})`

/** Condition of a row whose id names nothing. */
function orphanOf(column: string, note: AnyNote): string | undefined {
  if ('orphan' in note) return note.orphan
  if ('mayBeGone' in note) return undefined
  if ('names' in note) {
    return `${note.when ?? 'true'} and t.${column} is not null and ${missing(column, note.names)}`
  }
  const { onDeletion } = note
  if (typeof onDeletion === 'object') {
    return 'stays' in onDeletion ? undefined : missing(column, 'auth.users')
  }
  return `t.${column} is not null and ${missing(column, 'auth.users')}`
}

/** All such columns, as `src/db/tables.ts` of the services say. A test finds a column that is missing here. */
export const REFERENCES: readonly Reference[] = NOTED_COLUMNS.map(({ table, column, note }) => ({
  column: `${table}.${column}`,
  orphan: orphanOf(column, note),
}))

/** Queries for rows that are missing in a projection or differ from their source. Each must return none. */
export const PROJECTIONS: Readonly<Record<string, string>> = {
  'the scheduler has every accepted video with the same fields as the catalogue': `
    select id from catalogue.videos c where c.review_state is null and not exists (
      select from scheduler.videos s where s.id = c.id and s.removed_at is null
        and (s.title, s.artist_name, s.duration_ms, s.duration_assumed, s.is_public, s.metadata_status, s.category,
             s.tags, s.start_at_ms, s.end_at_ms)
          is not distinct from
            (c.title, c.artist_name, c.duration_ms, c.duration_assumed, c.is_public, c.metadata_status, c.category,
             c.tags, c.start_at_ms, c.end_at_ms))`,
  'the scheduler has no video under review': `
    select id from scheduler.videos s where s.removed_at is null and exists (
      select from catalogue.videos c where c.id = s.id and c.review_state is not null)`,
  'a video has the state of its submission': `
    select video_id as id from catalogue.submissions s join catalogue.videos v on v.id = s.video_id
    where s.state <> coalesce(v.review_state, 'accepted')`,
  'a video under review has a submission': `
    select id from catalogue.videos v where v.review_state is not null and not exists (
      select from catalogue.submissions s where s.video_id = v.id)`,
  'a submission that waits for a decision has a submitter or is from a followed list': `
    select video_id as id from catalogue.submissions s
    where s.state = 'submitted' and s.followed_list is null and not exists (
      select from catalogue.submitters r where r.video_id = s.video_id)`,
  'chat has every channel': `
    select id from scheduler.channels c where not exists (
      select from chat.channels r where r.id = c.id and not r.is_deleted)`,
  'chat has every profile with its handle': `
    select p.user_id as id from auth.profiles p where not exists (
      select from chat.profiles r where r.user_id = p.user_id and r.handle = p.handle)`,
  'chat has every restriction': `
    select id from auth.user_restrictions a where not exists (
      select from chat.restrictions r where r.id = a.id and not r.is_lifted)`,
  'the catalogue has every restriction': `
    select id from auth.user_restrictions a where restriction_type = 'restricted' and not exists (
      select from catalogue.restricted_users r where r.restriction_id = a.id)`,
  'each artist has the right number of videos': `
    select name as id from catalogue.artists a where video_count <> (
      select count(*) from catalogue.videos v
      where v.artist_name = a.name and v.is_public and v.metadata_status <> 'unavailable' and v.title <> 'Loading...')`,
  'the stored totals equal those of the library': `
    select t.category as id from catalogue.video_totals t where (video_count, unavailable_count) <> (
      select count(*), count(*) filter (where metadata_status = 'unavailable' or title = 'Loading...')
      from catalogue.videos v
      where v.review_state is null and coalesce(v.category, '') = t.category and v.is_public = t.is_public)`,
  'active playlists have the right item count': `
    select id from catalogue.youtube_playlists p where p.is_active and item_count <> (
      select count(*) from catalogue.youtube_playlist_items i where i.playlist_id = p.id)`,
  'exactly the public, available videos with a title have a search document': `
    select id from catalogue.videos v
    where (v.is_public and v.metadata_status <> 'unavailable' and v.title <> 'Loading...')
      <> exists (select from catalogue.video_documents d where d.video_id = v.id)`,
}
