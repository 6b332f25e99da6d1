import type {
  BulkFields,
  EditPreview,
  EditVideosBody,
  UndoEditResult,
} from '@looptide/contracts/http/video-edits'
import { auditEvent } from '@looptide/service-kit/audit/audit'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { CatalogueDb } from '../../db/schema.ts'
import { AUDIT, HOME_CHANGED, updatedEvents } from '../videos/video-events.ts'
import { findVideos, lockBulkChanges } from '../videos/video-repository.ts'
import { edited, isChange, previewOf } from './bulk-changes.ts'
import { editedVideos, editRows, lockAccepted, pruneEdits, undoRows } from './bulk-edit-repository.ts'

/** Maximum videos that one request undoes. */
const UNDO_BATCH = 500
const PRUNE_EVERY_MS = 600_000

/** Sets the artist, genre, category or tags of many videos, replaces text in their titles, and undoes such edits. Every change is audited and published. */
export class BulkEditService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  /** The changes that {@link edit} would make. */
  async preview(ids: readonly string[], fields: BulkFields): Promise<EditPreview> {
    const rows = (await findVideos(this.#db, ids)).filter((row) => row.reviewState === null)
    return previewOf(
      rows.map((before) => ({ before, after: edited(before, fields) })),
      fields,
    )
  }

  /** Edits the accepted videos among `ids` and returns the number of changed ones. */
  async edit({ ids, fields, editId }: EditVideosBody, cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      await lockBulkChanges(trx)
      const edits = (await lockAccepted(trx, ids))
        .map((before) => ({ before, after: edited(before, fields) }))
        .filter(isChange)
      if (edits.length === 0) return 0
      const rows = await editRows(trx, edits, editId)
      const facts = {
        action: 'video.edit_many',
        targetType: 'video',
        targetId: rows[0]?.id,
        before: edits.map(({ before: { id, title, artistName, genre, category, tags } }) => ({
          id,
          title,
          artistName,
          genre,
          category,
          tags,
        })),
        after: { ...fields, ids: rows.map((row) => row.id) },
        details: { editId, count: rows.length },
      } as const
      await appendEvents(trx, [...updatedEvents(rows), HOME_CHANGED, auditEvent(AUDIT, facts)], cause)
      return rows.length
    })
  }

  /** Undoes an edit for up to {@link UNDO_BATCH} videos. Videos changed since the edit are skipped. */
  async undo(editId: string, cause: Cause): Promise<UndoEditResult> {
    return this.#db.transaction().execute(async (trx) => {
      await lockBulkChanges(trx)
      const ids = await editedVideos(trx, editId, UNDO_BATCH)
      if (ids.length === 0) return { count: 0, skipped: 0, isMore: false }
      await lockAccepted(trx, ids)
      const rows = await undoRows(trx, ids, editId)
      const facts = {
        action: 'video.undo_edit',
        targetType: 'video',
        targetId: rows[0]?.id,
        details: { editId, count: rows.length, ids: rows.map((row) => row.id) },
      } as const
      const events = rows.length === 0 ? [] : [...updatedEvents(rows), HOME_CHANGED, auditEvent(AUDIT, facts)]
      await appendEvents(trx, events, cause)
      return { count: rows.length, skipped: ids.length - rows.length, isMore: ids.length === UNDO_BATCH }
    })
  }
}

/** Deletes, every ten minutes, edits that can no longer be undone. */
export const editPruner = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: PRUNE_EVERY_MS,
    atStart: false,
    failure: 'video edits not pruned',
    run: (signal) => pruneEdits(db, signal),
  })
