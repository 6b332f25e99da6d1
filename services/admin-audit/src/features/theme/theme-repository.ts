import type { ThemeBody } from '@looptide/contracts/http/themes'
import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Database, ThemeSettingsTable } from '../../db/schema.ts'

export type ThemeRow = Selectable<ThemeSettingsTable>

/** The theme in use; undefined if none has been saved. */
export function findActiveTheme(db: Db<Database>): Promise<ThemeRow | undefined> {
  return db.selectFrom('themeSettings').selectAll().where('isActive', '=', true).executeTakeFirst()
}

/** The last saved themes, newest first. */
export function findSavedThemes(db: Db<Database>, limit: number): Promise<ThemeRow[]> {
  return db
    .selectFrom('themeSettings')
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Serialises changes of the theme until the transaction ends. */
export async function lockTheme(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('theme'), 0)`.execute(trx)
}

/** Deactivates the current theme and inserts this one as active. */
export async function activateTheme(
  trx: Transaction<Database>,
  theme: ThemeBody & { id: string; createdBy: string },
): Promise<void> {
  await trx.updateTable('themeSettings').set({ isActive: false }).where('isActive', '=', true).execute()
  await trx
    .insertInto('themeSettings')
    .values({ ...theme, isActive: true })
    .execute()
}
