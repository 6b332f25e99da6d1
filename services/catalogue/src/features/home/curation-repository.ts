import { type SqlBool, sql } from 'kysely'
import type { CurationRow, Queries, SectionTypeName, VideoRow } from '../../db/schema.ts'
import { sectionPositionAndId } from '../shared/cursor-keys.ts'

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

export function newestPublic(db: Queries, limit: number): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where('isPublic', '=', true)
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

/** The place behind the last item of a section (of a category: of that name). The first is 1. */
export async function nextPosition(
  db: Queries,
  sectionType: SectionTypeName,
  sectionName: string | null,
): Promise<number> {
  const row = await db
    .selectFrom('homeScreenCuration')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('sectionType', '=', sectionType)
    .where('sectionName', 'is not distinct from', sectionName)
    .executeTakeFirst()
  return Number(row?.last ?? 0) + 1
}

export function insertCuration(
  db: Queries,
  item: Omit<CurationRow, 'createdAt' | 'isActive'>,
): Promise<CurationRow> {
  return db.insertInto('homeScreenCuration').values(item).returningAll().executeTakeFirstOrThrow()
}

export async function findCuration(db: Queries, id: string): Promise<CurationRow | undefined> {
  return db.selectFrom('homeScreenCuration').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateCuration(
  db: Queries,
  id: string,
  change: Partial<Pick<CurationRow, 'isActive' | 'position'>>,
): Promise<CurationRow> {
  return db
    .updateTable('homeScreenCuration')
    .set(change)
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
