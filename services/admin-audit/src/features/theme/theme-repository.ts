import type { ThemeBody } from '@looptide/contracts/http/themes'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, ThemeAssetsTable, ThemeSettingsTable } from '../../db/schema.ts'

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

/** The URL path of a stored picture, as it is stored in themes. */
export const themeAssetPath = (version: string): string => `/api/theme/assets/${version}`

/** Stores a picture. For an existing one, resets the upload time; a kept one stays kept. Returns whether it is new. */
export async function upsertThemeAsset(
  db: Db<Database>,
  asset: Insertable<ThemeAssetsTable>,
): Promise<boolean> {
  const row = await db
    .insertInto('themeAssets')
    .values(asset)
    .onConflict((conflict) =>
      conflict.column('version').doUpdateSet({
        createdAt: sql`now()`,
        isKept: sql`theme_assets.is_kept or excluded.is_kept`,
      }),
    )
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow()
  return row.isNew
}

/** The picture with this version; undefined if there is none. */
export function findThemeAsset(
  db: Db<Database>,
  version: string,
): Promise<Pick<Selectable<ThemeAssetsTable>, 'contentType' | 'bytes'> | undefined> {
  return db
    .selectFrom('themeAssets')
    .select(['contentType', 'bytes'])
    .where('version', '=', version)
    .executeTakeFirst()
}

/** Deletes pictures that were uploaded more than a day ago for a theme and are in no saved one. */
export async function deleteUnusedThemeAssets(db: Db<Database>): Promise<void> {
  const prefix = themeAssetPath('')
  await sql`
    delete from theme_assets a
    where created_at < now() - interval '1 day' and not is_kept
      and not exists (select from theme_settings t where t.logo_url = ${prefix} || a.version)
      and not exists (select from theme_settings t where t.hero_background_url = ${prefix} || a.version)
  `.execute(db)
}
