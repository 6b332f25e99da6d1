import type { AuditAction } from '@looptide/contracts/audit-actions'
import {
  DELETED_RETENTION_DAYS,
  type DeletedVideo,
  MAX_DELETED_COUNTED,
  type RestoreResult,
} from '@looptide/contracts/http/deleted-videos'
import { auditEvent } from '@looptide/service-kit/audit/audit'
import { appendEvents, type Cause, type NewEvent } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { CatalogueDb, CatalogueTrx, DeletedVideoRow, VideoRow } from '../../db/schema.ts'
import { restoreCuration } from '../home/curation-repository.ts'
import { addReminders } from '../metadata/reminder-repository.ts'
import { MAX_ITEMS } from '../playlists/playlist-repository.ts'
import { presentVideo } from '../videos/present-video.ts'
import { AUDIT, addedEvents, HOME_CHANGED, metadataRequests, removedEvents } from '../videos/video-events.ts'
import { lockBulkChanges } from '../videos/video-repository.ts'
import type { ParsedLine } from '../videos/video-url.ts'
import {
  countDeleted,
  deletedCuration,
  findDeletedBySource,
  listDeleted,
  moveBack,
  moveToDeleted,
  pruneDeleted,
  purgeDeleted,
  restorePlaylistItems,
} from './deleted-video-repository.ts'

const PRUNE_EVERY_MS = 3_600_000
/** Whether a video was a premiere or live stream, which is looked up again. */
const isBroadcast = (reason: string | null): boolean => reason === 'upcoming' || reason === 'live'

/** Deletes videos and restores them within 30 days. Every change is audited and published. */
export class DeletedVideoService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  /** One page and one extra row, last deleted first, and the total up to 10,000. */
  async list(limit: number, cursor: string | undefined): Promise<{ rows: DeletedVideoRow[]; total: number }> {
    const [rows, total] = await Promise.all([
      listDeleted(this.#db, limit, cursor),
      countDeleted(this.#db, MAX_DELETED_COUNTED),
    ])
    return { rows, total }
  }

  /** Deletes videos from the library and all lists, and returns their number. Videos under review cannot be restored. */
  async delete(ids: readonly string[], cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      await lockBulkChanges(trx)
      const rows = await moveToDeleted(trx, ids, null)
      if (rows.length === 0) return 0
      const events = [...removedEvents(rows), HOME_CHANGED, auditEventOf('video.delete', rows)]
      await appendEvents(trx, events, cause)
      return rows.length
    })
  }

  /** Restores deleted videos with their playlist and curation items. */
  async restore(ids: readonly string[], cause: Cause): Promise<RestoreResult> {
    const { restored, conflicts } = await this.#restore(ids, cause)
    return { count: restored.length, conflicts }
  }

  /** Restores the deleted videos of these lines and returns their ids. */
  async restoreLines(parsed: readonly ParsedLine[], cause: Cause): Promise<string[]> {
    const ids = await findDeletedBySource(
      this.#db,
      parsed.flatMap((line) => (line.kind === 'youtube' ? [line.youtubeId] : [])),
      parsed.flatMap((line) => (line.kind === 'media' ? [line.url] : [])),
    )
    return ids.length === 0 ? [] : (await this.#restore(ids, cause)).restored
  }

  async #restore(ids: readonly string[], cause: Cause): Promise<{ restored: string[]; conflicts: number }> {
    return this.#db.transaction().execute(async (trx) => {
      await lockBulkChanges(trx)
      const { rows, conflicts, events } = await restoreBatch(trx, ids)
      const restored = rows.map((row) => row.id)
      if (rows.length > 0) {
        await appendEvents(trx, [...events, HOME_CHANGED, auditEventOf('video.restore', rows)], cause)
      }
      return { restored, conflicts }
    })
  }

  /** Permanently deletes deleted videos and returns their number. */
  async purge(ids: readonly string[], cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const rows = await purgeDeleted(trx, ids)
      if (rows.length > 0) await appendEvents(trx, [auditEventOf('video.purge', rows)], cause)
      return rows.length
    })
  }
}

/**
 * Restores deleted videos with their playlist and curation items. Returns the rows, the number of those whose URL was
 * added again, and the events. The caller has locked bulk changes.
 */
export async function restoreBatch(
  trx: CatalogueTrx,
  ids: readonly string[],
): Promise<{ rows: VideoRow[]; conflicts: number; events: NewEvent[] }> {
  const { rows, conflicts } = await moveBack(trx, ids)
  if (rows.length === 0) return { rows, conflicts, events: [] }
  const restored = rows.map((row) => row.id)
  await restoreListItems(trx, restored)
  await purgeDeleted(trx, restored)
  const unknown = rows.filter(
    ({ metadataStatus, unavailableReason }) => metadataStatus === 'pending' || isBroadcast(unavailableReason),
  )
  // Those of broadcasts: nothing else repeats a request for a video that is unavailable.
  await addReminders(
    trx,
    unknown.map(({ id }) => id),
  )
  return { rows, conflicts, events: [...addedEvents(rows), ...metadataRequests(unknown, false)] }
}

async function restoreListItems(trx: CatalogueTrx, ids: readonly string[]): Promise<void> {
  await restorePlaylistItems(trx, ids, MAX_ITEMS)
  await restoreCuration(trx, await deletedCuration(trx, ids))
}

function auditEventOf(action: AuditAction, rows: readonly VideoRow[]) {
  const before = rows.map(({ id, title, videoUrl }) => ({ id, title, videoUrl }))
  return auditEvent(AUDIT, { action, targetType: 'video', targetId: rows[0]?.id, before })
}

/** The API representation of a deleted video. */
export const presentDeleted = (row: DeletedVideoRow): DeletedVideo => ({
  video: presentVideo(row),
  deletedAt: row.deletedAt.toISOString(),
})

/** Permanently deletes, once an hour, videos deleted more than 30 days ago. Any number of replicas may run it at once. */
export const deletedVideoPruner = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: PRUNE_EVERY_MS,
    atStart: true,
    failure: 'deleted videos not pruned',
    run: (signal) => pruneDeleted(db, DELETED_RETENTION_DAYS, signal),
  })
