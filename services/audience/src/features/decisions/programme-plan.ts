import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { markQueuesChanged } from '../queue/queue-repository.ts'
import { deleteForgotten, setPlanned } from '../requests/request-repository.ts'
import { lockChannel } from '../settings/settings-repository.ts'
import { beginPlan, openNamed, undoOthers } from './decision-repository.ts'

/** A decided request that has not started this long after its time never will, in ms. */
const LATE_MS = 300_000

/**
 * Stores which requests of a channel are planned and when, which rules forbid others, and which are decided. A decision that
 * is no longer in the plan is undone: its request waits again, with its votes.
 */
export async function applyPlan(
  trx: Transaction<Database>,
  event: Envelope<'stream.requests.planned.v1'>,
): Promise<void> {
  const { channelId, planned, blocked } = event.data
  const occurredAt = new Date(event.occurredAt)
  await lockChannel(trx, channelId)
  // A dead letter may be replayed after newer plans.
  if (!(await beginPlan(trx, channelId, occurredAt))) return
  const moved = await setPlanned(trx, channelId, { planned, blocked })
  const decided = planned.filter(({ isDecided }) => isDecided)
  const opened = await openNamed(trx, channelId, decided, occurredAt)
  const from = new Date(occurredAt.getTime() - LATE_MS)
  const undone = await undoOthers(trx, channelId, decided, { from, to: occurredAt })
  await deleteForgotten(trx, undone)
  if (opened > 0 || undone.length > 0) await markQueuesChanged(trx, [channelId])
  await appendEvents(
    trx,
    moved.map(({ id, isPlanned }) => ({
      type: 'audience.request.changed.v1' as const,
      aggregateId: channelId,
      data: { channelId, requestId: id, state: isPlanned ? ('planned' as const) : ('waiting' as const) },
    })),
    event,
  )
}
