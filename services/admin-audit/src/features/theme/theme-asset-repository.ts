import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database, ThemeAssetsTable } from '../../db/schema.ts'

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
