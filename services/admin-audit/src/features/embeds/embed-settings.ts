import type { EmbedSettings } from '@looptide/contracts/http/embeds'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { findEmbedSettings, lockEmbedSettings, saveEmbedSettings } from './embed-settings-repository.ts'

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

  /** The settings in use with their ETag. */
  async read(): Promise<Versioned> {
    const { settings, version } = await findEmbedSettings(this.#db)
    return { settings, etag: etagOf(version) }
  }

  /** Throws `precondition_failed` unless `expected` is the current version. */
  async update(after: EmbedSettings, cause: Cause, expected?: ExpectedVersion): Promise<Versioned> {
    return this.#db.transaction().execute(async (trx) => {
      await lockEmbedSettings(trx)
      const { settings: before, version } = await findEmbedSettings(trx)
      requireVersion(expected, etagOf(version))
      await saveEmbedSettings(trx, { ...after, version: version + 1 })
      const facts = { action: 'embeds.update', targetType: 'embeds', targetId: null, before, after } as const
      await appendAudit(trx, 'admin.audit.recorded.v1', facts, cause)
      return { settings: after, etag: etagOf(version + 1) }
    })
  }
}

const etagOf = (version: number): string => `"${version}"`
