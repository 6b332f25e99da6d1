import { type Kysely, sql } from 'kysely'

/**
 * Serialises inserts of documents with an advisory lock. Without it, a writer could read the newest partition while
 * another closed it, and insert videos into a partition that ends before their `created_at`. Search then returned them
 * too late. The migration also corrects existing rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Each statement of the function has its own snapshot, so after the lock it sees a partition that another writer added.
  await sql`
    create or replace function keep_video_document() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform pg_advisory_xact_lock(hashtext('catalogue.search_slices'));
        with kept as (
          insert into video_documents (video_id, created_at, slice, document)
          select id, created_at, slice_of(created_at), video_document(title, artist_name, description, genre)
          from added where is_public
          returning slice
        )
        update search_slices s set row_count = s.row_count + k.rows
        from (select slice, count(*) as rows from kept group by 1 order by 1) k where s.id = k.slice;
        perform fill_search_slices();
      elsif new.is_public then
        insert into video_documents (video_id, created_at, slice, document)
        values (new.id, new.created_at, slice_of(new.created_at),
          video_document(new.title, new.artist_name, new.description, new.genre))
        on conflict (video_id) do update set
          created_at = excluded.created_at, slice = excluded.slice, document = excluded.document;
      else
        delete from video_documents where video_id = new.id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    update video_documents d set slice = s.id
    from (select id, starts_at, lead(starts_at, 1, 'infinity') over (order by starts_at) as ends_at from search_slices) s
    where d.created_at >= s.starts_at and d.created_at < s.ends_at and d.slice <> s.id`.execute(db)
}
