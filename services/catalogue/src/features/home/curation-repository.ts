import { type SqlBool, sql } from 'kysely'
import type { CatalogueTrx, CurationRow, Queries, VideoRow } from '../../db/schema.ts'
import { sectionPositionAndId } from '../shared/cursor-keys.ts'
import { isListed } from '../videos/video-repository.ts'

/** Maximum curation items. */
export const MAX_ITEMS = 2000
/** Maximum active curation items that the home page reads. */
const MAX_SHOWN = 200

/** The active curation items, by section and position. */
export function activeCuration(db: Queries): Promise<CurationRow[]> {
  return db
    .selectFrom('homeScreenCuration')
    .selectAll()
    .where('isActive', '=', true)
    .orderBy('sectionType')
    .orderBy('position')
    .orderBy('id')
    .limit(MAX_SHOWN)
    .execute()
}

/** The newest listed videos. */
export function newestListed(db: Queries, limit: number): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where(isListed)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** One page and one extra row, by section and position. The cursor is {@link curationCursor}. */
export function listCuration(db: Queries, limit: number, cursor: string | undefined): Promise<CurationRow[]> {
  let query = db
    .selectFrom('homeScreenCuration')
    .selectAll()
    .orderBy('sectionType')
    .orderBy('position')
    .orderBy('id')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const { section, position, id } = sectionPositionAndId(cursor)
    query = query.where(sql<SqlBool>`(section_type, position, id) > (${section}, ${position}, ${id}::uuid)`)
  }
  return query.execute()
}

/** The version of the order: a digest of the items by section and position, whether they are active or not. */
export async function curationVersion(db: Queries): Promise<string> {
  const { rows } = await sql<{ version: string | null }>`
    select left(encode(sha256(
      string_agg(uuid_send(id) || int4send(position), ''::bytea order by section_type, position, id)
    ), 'hex'), 32) as version
    from home_screen_curation`.execute(db)
  return rows[0]?.version ?? 'empty'
}

/** The sort key of a row, for the cursor. */
export const curationCursor = (row: CurationRow): [string, number, string] => [
  row.sectionType,
  row.position,
  row.id,
]

/** Serialises changes of positions until the transaction ends; concurrent moves could give two items the same position. */
export async function lockCuration(db: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.curation'), 0)`.execute(db)
}

type Section = Pick<CurationRow, 'sectionType' | 'sectionName'>

/** The ids of a section's items, by position. A category section is identified by its name. */
export async function sectionOrder(db: Queries, section: Section): Promise<string[]> {
  const rows = await db
    .selectFrom('homeScreenCuration')
    .select('id')
    .where('sectionType', '=', section.sectionType)
    .where('sectionName', 'is not distinct from', section.sectionName)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Assigns positions from 1 on in this order. Rows whose position does not change are not written. */
export async function writeOrder(db: Queries, ids: readonly string[]): Promise<void> {
  await sql`
    update home_screen_curation as item set position = ordered.position
    from unnest(${ids}::uuid[]) with ordinality as ordered (id, position)
    where item.id = ordered.id and item.position <> ordered.position`.execute(db)
}

/** Stores an item of the home screen. */
export function insertCuration(db: Queries, item: Omit<CurationRow, 'createdAt'>): Promise<CurationRow> {
  return db.insertInto('homeScreenCuration').values(item).returningAll().executeTakeFirstOrThrow()
}

/** Finds an item and locks it until the transaction ends. */
export async function lockCurationItem(db: Queries, id: string): Promise<CurationRow | undefined> {
  return db.selectFrom('homeScreenCuration').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Shows or hides an item of the home screen, which must exist. */
export async function setCurationActive(db: Queries, id: string, isActive: boolean): Promise<CurationRow> {
  return db
    .updateTable('homeScreenCuration')
    .set({ isActive })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes an item of the home screen. Returns its row; undefined if there was none. */
export async function deleteCuration(db: Queries, id: string): Promise<CurationRow | undefined> {
  return db.deleteFrom('homeScreenCuration').where('id', '=', id).returningAll().executeTakeFirst()
}

/** Number of items of the home screen, hidden ones included. */
export async function countCuration(db: Queries): Promise<number> {
  const row = await db
    .selectFrom('homeScreenCuration')
    .select((eb) => eb.fn.countAll<number>().as('items'))
    .executeTakeFirstOrThrow()
  return row.items
}

/** Restores curation items of deleted videos at their old positions, up to {@link MAX_ITEMS} items in all. */
export async function restoreCuration(trx: CatalogueTrx, items: readonly CurationRow[]): Promise<void> {
  if (items.length === 0) return
  await lockCuration(trx)
  const capacity = MAX_ITEMS - (await countCuration(trx))
  for (const item of items.slice(0, Math.max(0, capacity))) {
    const others = await sectionOrder(trx, item)
    const { createdAt: _createdAt, ...columns } = item
    await insertCuration(trx, columns)
    await writeOrder(trx, others.toSpliced(item.position - 1, 0, item.id))
  }
}
