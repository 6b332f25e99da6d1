import {
  DEFAULT_THEME,
  type SavedTheme,
  THEME_HISTORY_LIMIT,
  type ThemeBody,
} from '@looptide/contracts/http/themes'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { errors } from '@looptide/service-kit/http/errors'
import type { PictureUploads } from '@looptide/service-kit/pictures/picture-uploads'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import {
  activateTheme,
  deleteUnusedThemeAssets,
  findActiveTheme,
  findSavedThemes,
  findThemeAsset,
  lockTheme,
  type ThemeRow,
  themeAssetPath,
  upsertThemeAsset,
} from './theme-repository.ts'

/** Manages the station's theme and its pictures. Every change is audited and published. */
export class ThemeService {
  readonly #db: Kysely<Database>
  readonly #uploads: PictureUploads<Database>

  constructor(db: Kysely<Database>, uploads: PictureUploads<Database>) {
    this.#db = db
    this.#uploads = uploads
  }

  /** The theme in use with its ETag; the default theme if none has been saved. */
  async current(): Promise<{ theme: ThemeBody; etag: string }> {
    const row = await findActiveTheme(this.#db)
    return { theme: row === undefined ? DEFAULT_THEME : presentTheme(row), etag: etagOf(row) }
  }

  /** Activates a theme and returns it with its ETag. Throws `precondition_failed` unless the `expected` theme is in use. */
  async save(
    theme: ThemeBody,
    userId: string,
    cause: Cause,
    expected?: ExpectedVersion,
  ): Promise<{ theme: ThemeBody; etag: string }> {
    const id = newId()
    await this.#db.transaction().execute(async (trx) => {
      await lockTheme(trx)
      const before = await findActiveTheme(trx)
      requireVersion(expected, etagOf(before))
      await activateTheme(trx, { ...theme, id, createdBy: userId })
      await appendEvent(trx, 'admin.theme.activated.v1', 'theme', { theme }, cause)
      await appendAudit(
        trx,
        'admin.audit.recorded.v1',
        {
          action: 'theme.activate',
          targetType: 'theme',
          targetId: id,
          before: before === undefined ? DEFAULT_THEME : presentTheme(before),
          after: theme,
        },
        cause,
      )
    })
    return { theme, etag: etagOf({ id }) }
  }

  /** The last saved themes, newest first. */
  async history(): Promise<SavedTheme[]> {
    const rows = await findSavedThemes(this.#db, THEME_HISTORY_LIMIT)
    return rows.map((row) => ({
      id: row.id,
      theme: presentTheme(row),
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
    }))
  }

  /**
   * Stores a picture and returns its URL path. It is deleted after a day unless a theme is saved with it or `isKept` is true.
   * Throws the errors of {@link PictureUploads.read}.
   */
  async addAsset(body: unknown, isKept: boolean, userId: string, cause: Cause): Promise<string> {
    const { type: contentType, version, bytes } = await this.#uploads.read(body, cause)
    await this.#db.transaction().execute(async (trx) => {
      await deleteUnusedThemeAssets(trx)
      const isNew = await upsertThemeAsset(trx, { version, contentType, bytes, isKept, createdBy: userId })
      if (!isNew) return
      const after = { contentType, bytes: bytes.length }
      const facts = { action: 'theme.upload', targetType: 'theme_asset', targetId: version, after } as const
      await appendAudit(trx, 'admin.audit.recorded.v1', facts, cause)
    })
    return themeAssetPath(version)
  }

  /** Throws `not_found`. */
  async readAsset(version: string): Promise<{ contentType: string; bytes: Buffer }> {
    const asset = await findThemeAsset(this.#db, version)
    if (asset === undefined) throw errors.notFound('This picture')
    return asset
  }
}

const etagOf = (row: Pick<ThemeRow, 'id'> | undefined): string => `"${row?.id ?? 'default'}"`

function presentTheme(row: ThemeRow): ThemeBody {
  const { id: _id, isActive: _isActive, createdBy: _createdBy, createdAt: _createdAt, ...theme } = row
  // Rows are validated with the same schema when they are written, so the font is an allowed one.
  return theme as ThemeBody
}
