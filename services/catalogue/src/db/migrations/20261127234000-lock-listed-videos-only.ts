import { type Kysely, sql } from 'kysely'

/**
 * Takes the lock of the search partitions only for videos that viewers find. A submitted video is none: with the lock, a
 * submission could wait for an acceptance of the same video that waited for the lock.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function add_video_documents() returns trigger language plpgsql as $$
    begin
      if not exists (select from added where is_listed(is_public, metadata_status, title)) then
        return null;
      end if;
      perform pg_advisory_xact_lock(hashtext('catalogue.search_partitions'));
      with written as (
        insert into video_documents (video_id, created_at, partition_id, document)
        select id, created_at, partition_of(created_at), video_document(title, artist_name, description, genre)
        from added where is_listed(is_public, metadata_status, title)
        returning partition_id
      )
      update search_partitions set document_count = document_count + counted.documents
      from (select partition_id, count(*) as documents from written group by 1) counted where id = counted.partition_id;
      perform close_full_partition();
      return null;
    end $$`.execute(db)
}
