import type { AuditAction } from '@looptide/contracts/audit-actions'
import { longestIncreasingSubsequence } from '@looptide/playhead/longest-increasing-subsequence'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { ChannelRow, Trx } from '../db/schema.ts'

interface Item {
  id: string
  videoId: string
}

interface States {
  before?: object
  after?: object
  details?: object
}

/** Writes the audit entry of a change of a channel's playlist, in the transaction of the change. */
export async function audit(
  trx: Trx,
  action: Extract<AuditAction, `playlist.${string}`>,
  channel: Pick<ChannelRow, 'id' | 'name'>,
  states: States,
  cause: Cause,
): Promise<void> {
  const details = { channelName: channel.name, ...states.details }
  const entry = { ...states, action, targetType: 'channel', targetId: channel.id, details }
  await appendAudit(trx, 'stream.audit.recorded.v1', entry, cause)
}

/**
 * What an entry says about the removal of `itemIds` from `items`, the playlist before it: videos, items and their
 * positions (from 0) in the order of the playlist, so that the removal can be undone.
 */
export function removalOf(items: readonly Item[], itemIds: readonly string[]) {
  const ids = new Set(itemIds)
  const removed = items.map((item, position) => ({ ...item, position })).filter(({ id }) => ids.has(id))
  return {
    before: { videoIds: removed.map(({ videoId }) => videoId) },
    details: {
      removed: removed.length,
      itemIds: removed.map(({ id }) => id),
      positions: removed.map(({ position }) => position),
    },
  }
}

/**
 * What an entry says about a new order of `items`, the playlist before it: its versions, and the fewest moved items with
 * their former positions (from 0), by which it can be undone while the playlist has the version `after`.
 */
export function reorderOf(
  items: readonly Item[],
  itemIds: readonly string[],
  versions: { before: string; after: string },
) {
  const positions = new Map(items.map(({ id }, position) => [id, position]))
  const former = itemIds.map((id) => positions.get(id) ?? 0)
  const kept = longestIncreasingSubsequence(former)
  return {
    before: { playlistVersion: versions.before },
    after: { playlistVersion: versions.after },
    details: {
      count: itemIds.length - kept.size,
      moved: itemIds.filter((_, index) => !kept.has(index)),
      positions: former.filter((_, index) => !kept.has(index)),
    },
  }
}

/** Additions that one audit entry names: it holds no more ids, and its Undo needs them all. */
const MAX_AUDITED_ADDITIONS = 500

/** Writes an audit entry for each kind of change that a save consists of. */
export async function auditSave(
  trx: Trx,
  channel: Pick<ChannelRow, 'id' | 'name'>,
  {
    removal,
    added,
    reorder,
  }: {
    removal: ReturnType<typeof removalOf>
    added: readonly { itemId: string; videoId: string }[]
    reorder: ReturnType<typeof reorderOf> | undefined
  },
  cause: Cause,
): Promise<void> {
  if (removal.details.removed > 0) await audit(trx, 'playlist.remove_many', channel, removal, cause)
  for (let from = 0; from < added.length; from += MAX_AUDITED_ADDITIONS) {
    const some = added.slice(from, from + MAX_AUDITED_ADDITIONS)
    const after = { videoIds: some.map(({ videoId }) => videoId) }
    const details = { itemIds: some.map(({ itemId }) => itemId) }
    await audit(trx, 'playlist.add', channel, { after, details }, cause)
  }
  if (reorder !== undefined) await audit(trx, 'playlist.order', channel, reorder, cause)
}
