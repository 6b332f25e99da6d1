import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Handles that look alike share a skeleton, which is unique. Of existing look-alikes the oldest handle gets the skeleton.
 * The others stay null, which keeps the handle until its owner changes it. The expression equals `handleSkeleton` in
 * `features/names/look-alike.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists profiles_handle_skeleton`.execute(db)
  await sql`create unique index concurrently profiles_handle_skeleton on profiles (handle_skeleton)`.execute(
    db,
  )
  await sql`
    update profiles set handle_skeleton = oldest.skeleton
    from (
      select distinct on (skeleton) user_id, skeleton
      from (
        select user_id, created_at, handle_skeleton as known,
          replace(lower(translate(handle, '01I', 'oll')), 'm', 'rn') as skeleton
        from profiles
      ) as named
      order by skeleton, known nulls last, created_at, user_id
    ) as oldest
    where profiles.user_id = oldest.user_id and profiles.handle_skeleton is null`.execute(db)
}
