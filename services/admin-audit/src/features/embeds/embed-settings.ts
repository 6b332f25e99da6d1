import { DEFAULT_EMBED_SETTINGS, type EmbedSettings } from '@looptide/contracts/http/embeds'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Db } from '@looptide/service-kit/db/db'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

interface Versioned {
  settings: EmbedSettings
  etag: string
}

/** Reads and changes whose pages may show embeds. Every change is audited, by which gateways learn of it. */
export class EmbedSettingsService {
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  async read(): Promise<Versioned> {
    const { settings, version } = await find(this.#db)
    return { settings, etag: etagOf(version) }
  }

  /** Throws `precondition_failed` unless `expected` is the current version. */
  async update(after: EmbedSettings, cause: Cause, expected?: ExpectedVersion): Promise<Versioned> {
    return this.#db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('embeds'), 0)`.execute(trx)
      const { settings: before, version } = await find(trx)
      requireVersion(expected, etagOf(version))
      const row = { origins: after.origins, version: version + 1 }
      await trx
        .insertInto('embedSettings')
        .values(row)
        .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(row))
        .execute()
      const facts = { action: 'embeds.update', targetType: 'embeds', targetId: null, before, after } as const
      await appendAudit(trx, 'admin.audit.recorded.v1', facts, cause)
      return { settings: after, etag: etagOf(row.version) }
    })
  }
}

async function find(db: Db<Database>): Promise<{ settings: EmbedSettings; version: number }> {
  const row = await db.selectFrom('embedSettings').select(['origins', 'version']).executeTakeFirst()
  if (row === undefined) return { settings: DEFAULT_EMBED_SETTINGS, version: 0 }
  return { settings: { origins: row.origins }, version: row.version }
}

const etagOf = (version: number): string => `"${version}"`
