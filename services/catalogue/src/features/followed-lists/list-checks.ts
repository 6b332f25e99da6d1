import { appendEvents, type NewEvent } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { CatalogueDb, FollowedListRow } from '../../db/schema.ts'
import { takeDueLists } from './list-repository.ts'

const EVERY_MS = 5000
const BATCH_SIZE = 50
/**
 * Time between two readings of a whole list, in ms. In between, only what is new is read; this misses an item that replaced
 * another one in the middle of a playlist, and a new title.
 */
const FULL_EVERY_MS = 24 * 3_600_000

/** Asks the metadata worker to read the followed lists that are due. Any number of replicas may run this task at once. */
export const followedListTask = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: EVERY_MS,
    atStart: true,
    failure: 'followed lists not checked',
    run: () => requestDueLists(db),
  })

/** Requests the lists that are due, up to a batch. Lists that another replica takes are skipped. */
export async function requestDueLists(db: CatalogueDb): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const due = await takeDueLists(trx, BATCH_SIZE)
    await appendEvents(
      trx,
      due.map((list) => listRequest(list, Date.now())),
    )
  })
}

/** The event that requests a reading of a list. */
export function listRequest(
  list: FollowedListRow,
  nowMs: number,
): NewEvent<'catalogue.playlist.requested.v1'> {
  const isFull =
    list.playlistId === null ||
    list.fullyReadAt === null ||
    list.fullyReadAt.getTime() < nowMs - FULL_EVERY_MS
  return {
    type: 'catalogue.playlist.requested.v1',
    aggregateId: list.id,
    data: {
      listId: list.id,
      kind: list.sourceKind,
      id: list.sourceName,
      playlistId: isFull ? null : list.playlistId,
      etag: isFull ? null : list.etag,
      newestIds: isFull ? [] : list.newestIds,
    },
  }
}
