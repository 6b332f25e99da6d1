import { sql } from 'kysely'
import type { CatalogueDb, Queries } from '../../services/catalogue/src/db/schema.ts'
import { likePattern, searchVideos } from '../../services/catalogue/src/features/search/search-repository.ts'
import { plainIlike } from './library.ts'

/** A way to search, compared with ours on the same documents. It finds the same videos. */
export interface Alternative {
  name: string
  /** Creates what it needs. Indexes are on tables of its own, so that the planner does not use them for ours. */
  prepare?(db: CatalogueDb): Promise<unknown>
  search(db: CatalogueDb, text: string, limit: number): Promise<string[]>
  /** Undoes what would change other alternatives. */
  restore?(db: CatalogueDb): Promise<unknown>
}

const ours = async (db: Queries, text: string, limit: number): Promise<string[]> =>
  (await searchVideos(db, text, limit)).map(({ id }) => id)

export const alternatives: readonly Alternative[] = [
  { name: 'ours', search: ours },
  { name: 'ILIKE', search: plainIlike },
  {
    name: 'pg_trgm',
    prepare: (db) => copyDocuments(db, 'trigram_documents', 'document gin_trgm_ops'),
    search: (db, text, limit) =>
      idsOf(
        db,
        sql`select video_id as id from trigram_documents where document like lower(${likePattern(text)})
          order by created_at desc, video_id desc limit ${limit}`,
      ),
  },
  {
    name: 'no scan of the newest',
    search: async (db, text, limit) => (await searchVideos(db, text, limit, 0)).map(({ id }) => id),
  },
  {
    name: 'one partition',
    prepare: prepareOnePartition,
    search: (db, text, limit) =>
      idsOf(db, sql`select id from search_one_partition(${text}, ${likePattern(text)}, ${limit}) id`),
  },
  {
    name: 'no word-boundary grams',
    prepare: (db) => changeQueryGrams(db, 'length(word) > 1', 'false'),
    search: ours,
    restore: (db) => changeQueryGrams(db, 'false', 'length(word) > 1'),
  },
  {
    name: 'ten query grams',
    prepare: (db) => changeQueryGrams(db, '5 - 2', '10 - 2'),
    search: ours,
    restore: (db) => changeQueryGrams(db, '10 - 2', '5 - 2'),
  },
  {
    name: 'with JIT',
    prepare: (db) => sql`set jit = on`.execute(db),
    search: ours,
    restore: (db) => sql`set jit = off`.execute(db),
  },
]

type IdQuery = ReturnType<typeof sql<{ id: string }>>

const idsOf = async (db: CatalogueDb, query: IdQuery): Promise<string[]> =>
  (await query.execute(db)).rows.map(({ id }) => id)

/** Creates a table with all documents, their index by age and a GIN index of `keys`; prints what the latter costs. */
async function copyDocuments(db: CatalogueDb, name: string, keys: string): Promise<void> {
  const [table, index] = [sql.table(name), sql.id(`${name}_keys`)]
  await sql`create table ${table} as select video_id, created_at, document from video_documents`.execute(db)
  await sql`create index on ${table} (created_at desc, video_id desc)`.execute(db)
  const startedMs = performance.now()
  await sql`create index ${index} on ${table} using gin (${sql.raw(keys)})`.execute(db)
  const tookS = (performance.now() - startedMs) / 1000
  await sql`vacuum analyze ${table}`.execute(db)
  const { rows } = await sql<{ size: string }>`
    select pg_size_pretty(pg_relation_size(${`${name}_keys`}::regclass)) as size`.execute(db)
  console.log(`${name}: index of ${rows[0]?.size}, built in ${tookS.toFixed(1)} s`)
}

/** Our search with all documents in one partition. */
async function prepareOnePartition(db: CatalogueDb): Promise<void> {
  await copyDocuments(db, 'unpartitioned_documents', 'index_keys(document, 0)')
  await sql`
    create function search_unpartitioned(query text, pattern text, max_rows integer) returns setof uuid
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set work_mem = '64MB' as $$
    declare
      keys bigint[] := (select array_agg(index_key(gram, 0)) from unnest(query_grams(lower(query))) gram);
    begin
      return query
        select video_id from unpartitioned_documents
        where index_keys(document, 0) @> keys and document like lower(pattern)
        order by created_at desc, video_id desc limit max_rows;
    end $$`.execute(db)
  await sql`
    create function search_one_partition(query text, pattern text, max_rows integer) returns setof uuid
    language plpgsql stable rows 20 as $$
    declare
      hits uuid[];
    begin
      hits := array(
        select video_id from (
          select * from unpartitioned_documents order by created_at desc, video_id desc limit 1000
        ) newest
        where document like lower(pattern) order by created_at desc, video_id desc limit max_rows
      );
      if cardinality(hits) = max_rows then
        return query select unnest(hits);
      else
        return query select search_unpartitioned(query, pattern, max_rows);
      end if;
    end $$`.execute(db)
}

/** Replaces a part of the function that chooses the grams of a query. */
async function changeQueryGrams(db: CatalogueDb, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef('query_grams'::regproc) as definition`.execute(db)
  const definition = rows[0]?.definition ?? ''
  if (!definition.includes(from)) throw new Error(`query_grams does not contain "${from}".`)
  await sql.raw(definition.replaceAll(from, to)).execute(db)
}
