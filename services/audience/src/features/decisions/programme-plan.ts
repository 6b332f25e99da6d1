import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { markQueuesChanged } from '../queue/queue-repository.ts'
import { refuseNotPlayable } from '../requests/changed-videos.ts'
import { deleteForgotten, setPlanned } from '../requests/request-repository.ts'
import { lockChannel } from '../settings/settings-repository.ts'
import { isNamed, type NamedDecision, takeDecision } from './decision.ts'
import {
  beginPlan,
  deleteDecisions,
  listDecisions,
  type StoredDecision,
  saveDecisions,
} from './decision-repository.ts'

/** A decided request that has not started this long after its time never will, in ms. */
const LATE_MS = 300_000
/** The scheduler's reason to pass a request over whose video has left the library. */
const NOT_PLAYABLE = 'notPlayable'

/**
 * Stores which requests of a channel are planned and when, which rules forbid others, and which are decided. A decision that
 * is no longer in the plan is undone: its request waits again, with its votes. Requests whose videos cannot be played any more
 * are refused.
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
  const { undone, opened } = await replaceDecisions(trx, channelId, decided, occurredAt.getTime())
  await deleteForgotten(trx, undone)
  if (opened.length > 0 || undone.length > 0) await markQueuesChanged(trx, [channelId])
  await appendEvents(
    trx,
    moved.map(({ id, isPlanned }) => ({
      type: 'audience.request.changed.v1' as const,
      aggregateId: channelId,
      data: { channelId, requestId: id, state: isPlanned ? ('planned' as const) : ('waiting' as const) },
    })),
    event,
  )
  const gone = blocked.filter(({ rule }) => rule === NOT_PLAYABLE).map(({ requestId }) => requestId)
  await refuseNotPlayable(trx, gone, { nowMs: occurredAt.getTime(), cause: event })
}

/** Replaces the decisions that wait for their start. Returns the requests of those that are undone, and of new ones. */
async function replaceDecisions(
  trx: Transaction<Database>,
  channelId: string,
  named: readonly NamedDecision[],
  nowMs: number,
): Promise<{ undone: string[]; opened: string[] }> {
  const stored = await listDecisions(trx, channelId)
  const names = new Set(named.map(({ requestId }) => requestId))
  const others = stored.filter(({ requestId }) => !names.has(requestId))
  // One whose time has just come may have started.
  const isUndone = ({ isAired, startsAtMs }: StoredDecision): boolean =>
    !isAired && (startsAtMs > nowMs || startsAtMs < nowMs - LATE_MS)
  const undone = others.filter(isUndone).map(({ requestId }) => requestId)
  await deleteDecisions(trx, undone)
  const known = new Map(stored.map((one) => [one.requestId, one]))
  const timeline = [...others.filter((one) => !isUndone(one)), ...named]
  const decisions = named.map((one) => takeDecision(one, known.get(one.requestId), timeline, nowMs))
  const isNew = new Map(decisions.map((one) => [one.requestId, !isNamed(known.get(one.requestId), one)]))
  const saved = await saveDecisions(trx, channelId, decisions)
  return { undone, opened: saved.filter((id) => isNew.get(id)) }
}
