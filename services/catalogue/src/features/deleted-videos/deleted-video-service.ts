import type { AuditAction } from '@looptide/contracts/audit-actions'
import {
  DELETED_RETENTION_DAYS,
  type DeletedVideo,
  MAX_DELETED_COUNTED,
  type RestoreResult,
} from '@looptide/contracts/http/deleted-videos'
import { auditEvent } from '@looptide/service-kit/audit'
import type { Logger } from '@looptide/service-kit/logger'
import { appendEvents, type Cause } from '@looptide/service-kit/outbox'
import { PeriodicTask } from '@looptide/service-kit/periodic-task'
import type { CatalogueDb, CatalogueTrx, DeletedVideoRow, VideoRow } from '../../db/schema.ts'
import { putBack } from '../home/put-back.ts'
import { MOST_ITEMS } from '../playlists/playlist-repository.ts'
import { presentVideo } from '../videos/present-video.ts'
import { AUDIT, addedEvents, HOME_CHANGED, metadataRequests, removedEvents } from '../videos/video-events.ts'
import { queueBulkChange } from '../videos/video-repository.ts'
import type { ParsedLine } from '../videos/video-url.ts'
import {
  countDeleted,
  deletedCuration,
  findDeletedSame,
  forgetDeleted,
  listDeleted,
  moveBack,
  moveToDeleted,
  pruneDeleted,
  restorePlaylistItems,
} from './deleted-video-repository.ts'

const PRUNE_EVERY_MS = 3_600_000

/** Deleted videos can be restored for 30 days. Every change is audited and published. */
export class DeletedVideoService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  /** One page and one row more, the last deleted first, and how many there are, up to 10,000. */
  async list(limit: number, cursor: string | undefined): Promise<{ rows: DeletedVideoRow[]; total: number }> {
    const [rows, total] = await Promise.all([
      listDeleted(this.#db, limit, cursor),
      countDeleted(this.#db, MAX_DELETED_COUNTED),
    ])
    return { rows, total }
  }

  /** Deletes these videos everywhere and returns how many there were. Those under review cannot be restored. */
  async delete(ids: readonly string[], cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      await queueBulkChange(trx)
      const rows = await moveToDeleted(trx, ids)
      if (rows.length === 0) return 0
      const events = [...removedEvents(rows), HOME_CHANGED, auditOf('video.delete', rows)]
      await appendEvents(trx, events, cause)
      return rows.length
    })
  }

  /** Restores deleted videos, with their places in playlists and on the home page. */
  async restore(ids: readonly string[], cause: Cause): Promise<RestoreResult> {
    const { restored, conflicts } = await this.#restore(ids, cause)
    return { count: restored.length, conflicts }
  }

  /** Restores the deleted videos that these lines name, and returns their ids. */
  async restoreNamed(parsed: readonly ParsedLine[], cause: Cause): Promise<string[]> {
    const ids = await findDeletedSame(
      this.#db,
      parsed.flatMap((line) => (line.kind === 'youtube' ? [line.youtubeId] : [])),
      parsed.flatMap((line) => (line.kind === 'media' ? [line.url] : [])),
    )
    return ids.length === 0 ? [] : (await this.#restore(ids, cause)).restored
  }

  async #restore(ids: readonly string[], cause: Cause): Promise<{ restored: string[]; conflicts: number }> {
    return this.#db.transaction().execute(async (trx) => {
      await queueBulkChange(trx)
      const { rows, conflicts } = await moveBack(trx, ids)
      const restored = rows.map((row) => row.id)
      if (rows.length === 0) return { restored, conflicts }
      await restorePlaces(trx, restored)
      await forgetDeleted(trx, restored)
      const events = [
        ...addedEvents(rows),
        ...metadataRequests(
          rows.filter((row) => row.metadataStatus === 'pending'),
          false,
        ),
        HOME_CHANGED,
        auditOf('video.restore', rows),
      ]
      await appendEvents(trx, events, cause)
      return { restored, conflicts }
    })
  }

  /** Deletes deleted videos for good and returns how many there were. */
  async purge(ids: readonly string[], cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const rows = await forgetDeleted(trx, ids)
      if (rows.length > 0) await appendEvents(trx, [auditOf('video.purge', rows)], cause)
      return rows.length
    })
  }
}

async function restorePlaces(trx: CatalogueTrx, ids: readonly string[]): Promise<void> {
  await restorePlaylistItems(trx, ids, MOST_ITEMS)
  await putBack(trx, await deletedCuration(trx, ids))
}

function auditOf(action: AuditAction, rows: readonly VideoRow[]) {
  const before = rows.map(({ id, title, videoUrl }) => ({ id, title, videoUrl }))
  return auditEvent(AUDIT, { action, targetType: 'video', targetId: rows[0]?.id, before })
}

/** A deleted video as admins see it. */
export const presentDeleted = (row: DeletedVideoRow): DeletedVideo => ({
  video: presentVideo(row),
  deletedAt: row.deletedAt.toISOString(),
})

/** Deletes for good, once an hour, what was deleted more than 30 days ago. Any number of replicas may do it at once. */
export const deletedVideoPruner = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: PRUNE_EVERY_MS,
    atStart: true,
    failure: 'deleted videos not pruned',
    run: (signal) => pruneDeleted(db, DELETED_RETENTION_DAYS, signal),
  })
