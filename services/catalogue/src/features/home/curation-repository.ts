import { type SqlBool, sql } from 'kysely'
import type { CurationRow, Queries, VideoRow } from '../../db/schema.ts'
import { sectionPositionAndId } from '../shared/cursor-keys.ts'
import { isListed } from '../videos/video-repository.ts'

/** Most curated items that there are. */
export const MOST_ITEMS = 2000
/** Most curated items that a home page draws. */
const SHOWN = 200

/** What admins have put on the home page and not switched off. */
export function activeCuration(db: Queries): Promise<CurationRow[]> {
  return db
    .selectFrom('homeScreenCuration')
    .selectAll()
    .where('isActive', '=', true)
    .orderBy('sectionType')
    .orderBy('position')
    .orderBy('id')
    .limit(SHOWN)
    .execute()
}

/** The newest that viewers may find. */
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

/** One page and one row more, by section and position. The cursor is {@link curationCursor}. */
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

/** What the cursor after this row holds. */
export const curationCursor = (row: CurationRow): [string, number, string] => [
  row.sectionType,
  row.position,
  row.id,
]

/** Until the transaction ends nobody else changes places: two who move at once would share one. */
export async function lockCuration(db: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.curation'), 0)`.execute(db)
}

type Section = Pick<CurationRow, 'sectionType' | 'sectionName'>

/** The ids of a section (of a category: of that name) in their order. */
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

/** Gives these items the places from 1 on; those that have theirs already are left alone. */
export async function writeOrder(db: Queries, ids: readonly string[]): Promise<void> {
  await sql`
    update home_screen_curation as item set position = wanted.place
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
    where item.id = wanted.id and item.position <> wanted.place`.execute(db)
}

export function insertCuration(db: Queries, item: Omit<CurationRow, 'createdAt'>): Promise<CurationRow> {
  return db.insertInto('homeScreenCuration').values(item).returningAll().executeTakeFirstOrThrow()
}

/** The item as it stands, held until the transaction ends. */
export async function findCuration(db: Queries, id: string): Promise<CurationRow | undefined> {
  return db.selectFrom('homeScreenCuration').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function switchCuration(db: Queries, id: string, isActive: boolean): Promise<CurationRow> {
  return db
    .updateTable('homeScreenCuration')
    .set({ isActive })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteCuration(db: Queries, id: string): Promise<CurationRow | undefined> {
  return db.deleteFrom('homeScreenCuration').where('id', '=', id).returningAll().executeTakeFirst()
}

export async function countCuration(db: Queries): Promise<number> {
  const row = await db
    .selectFrom('homeScreenCuration')
    .select((eb) => eb.fn.countAll<number>().as('items'))
    .executeTakeFirstOrThrow()
  return row.items
}
