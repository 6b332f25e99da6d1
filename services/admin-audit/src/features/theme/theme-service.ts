import { DEFAULT_THEME, type ThemeBody } from '@looptide/contracts/http/admin'
import { appendAudit } from '@looptide/service-kit/audit'
import { newId } from '@looptide/service-kit/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { AdminAuditDb } from '../../db/schema.ts'
import { activateTheme, findActiveTheme, lockTheme, type ThemeRow } from './theme-repository.ts'

/** How the station looks. */
export class ThemeService {
  readonly #db: Kysely<AdminAuditDb>

  constructor(db: Kysely<AdminAuditDb>) {
    this.#db = db
  }

  /** The theme in use, the default one when none was saved yet; `version` changes with it. */
  async current(): Promise<{ theme: ThemeBody; version: string }> {
    const row = await findActiveTheme(this.#db)
    return row === undefined
      ? { theme: DEFAULT_THEME, version: 'default' }
      : { theme: presentTheme(row), version: row.id }
  }

  async save(theme: ThemeBody, userId: string, cause: Cause): Promise<ThemeBody> {
    const id = newId()
    await this.#db.transaction().execute(async (trx) => {
      await lockTheme(trx)
      const before = await findActiveTheme(trx)
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
    return theme
  }
}

function presentTheme(row: ThemeRow): ThemeBody {
  const { id: _id, isActive: _isActive, createdBy: _createdBy, createdAt: _createdAt, ...theme } = row
  // Written through the same schema, so the font is one of ours.
  return theme as ThemeBody
}
