import {
  type CreateFilterBody,
  MAX_SAVED_FILTERS,
  type SavedFilter,
  type UpdateFilterBody,
} from '@looptide/contracts/http/video-filters'
import { textKey } from '@looptide/contracts/text'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { CatalogueDb, CatalogueTrx, VideoFilterRow } from '../../db/schema.ts'
import { cleanText } from '../videos/clean-text.ts'
import { AUDIT } from '../videos/video-events.ts'
import { deleteFilter, insertFilter, listFilters, lockFilters, updateFilter } from './filter-repository.ts'

const MAX_NAME_LENGTH = 60

/** The saved filters of the library, shared by all admins. Every change is audited. The last write wins. */
export class FilterService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  async list(): Promise<SavedFilter[]> {
    return (await listFilters(this.#db)).map(presentFilter)
  }

  /** Saves a filter. Throws `conflict` if the name is taken, and `unprocessable` if there are too many filters. */
  async create(body: CreateFilterBody, cause: Cause): Promise<SavedFilter> {
    return this.#db.transaction().execute(async (trx) => {
      const known = await lockAndList(trx)
      if (known.length >= MAX_SAVED_FILTERS) {
        throw new AppError(
          'unprocessable',
          `There are already ${MAX_SAVED_FILTERS} saved filters. Delete one first.`,
        )
      }
      const name = freeName(known, body.name)
      const createdBy = cause.actorId ?? null
      const row = await insertFilter(trx, { id: newId(), name, filter: body.filter, createdBy })
      await audit(trx, 'video_filter.create', { before: null, after: row }, cause)
      return presentFilter(row)
    })
  }

  /** Renames or replaces a filter. Throws `not_found`, and `conflict` if the name is taken. */
  async update(id: string, change: UpdateFilterBody, cause: Cause): Promise<SavedFilter> {
    return this.#db.transaction().execute(async (trx) => {
      const known = await lockAndList(trx)
      const before = known.find((row) => row.id === id)
      if (before === undefined) throw errors.notFound('This filter')
      const others = known.filter((row) => row.id !== id)
      const name = change.name === undefined ? before.name : freeName(others, change.name)
      const after = await updateFilter(trx, id, { name, filter: change.filter ?? before.filter })
      await audit(trx, 'video_filter.update', { before, after }, cause)
      return presentFilter(after)
    })
  }

  /** Throws `not_found`. */
  async delete(id: string, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const before = await deleteFilter(trx, id)
      if (before === undefined) throw errors.notFound('This filter')
      await audit(trx, 'video_filter.delete', { before, after: null }, cause)
    })
  }
}

async function lockAndList(trx: CatalogueTrx): Promise<VideoFilterRow[]> {
  await lockFilters(trx)
  return listFilters(trx)
}

/** The cleaned name. Throws `validation_failed` if it is blank, and `conflict` if another filter has it. */
function freeName(others: readonly VideoFilterRow[], text: string): string {
  const name = cleanText(text.replaceAll(/\s+/g, ' '), MAX_NAME_LENGTH)
  if (name === '') throw errors.validation('Enter a name.', [{ path: '/name', message: 'is blank' }])
  if (others.some((row) => textKey(row.name) === textKey(name))) {
    throw errors.conflict(`A filter named "${name}" already exists.`)
  }
  return name
}

async function audit(
  trx: CatalogueTrx,
  action: 'video_filter.create' | 'video_filter.update' | 'video_filter.delete',
  { before, after }: { before: VideoFilterRow | null; after: VideoFilterRow | null },
  cause: Cause,
): Promise<void> {
  const facts = (row: VideoFilterRow | null) => row && { name: row.name, filter: row.filter }
  const targetId = (after ?? before)?.id
  const entry = { action, targetType: 'video_filter', targetId, before: facts(before), after: facts(after) }
  await appendAudit(trx, AUDIT, entry, cause)
}

const presentFilter = ({ id, name, filter, updatedAt }: VideoFilterRow): SavedFilter => ({
  id,
  name,
  filter,
  updatedAt: updatedAt.toISOString(),
})
