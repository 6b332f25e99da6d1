import type { StreamStatus } from '@looptide/contracts/http/channels'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { ChannelRow, Trx } from '../db/schema.ts'
import type { ReplanMode } from './programming.ts'
import { lockChannel, updateChannel } from './timeline-repository.ts'
import type { TimelineWriter } from './timeline-writer.ts'

/** Stores and publishes a channel's status if it has changed. */
export async function setStatus(
  trx: Trx,
  channel: ChannelRow,
  status: StreamStatus,
  cause: Cause,
): Promise<void> {
  if (channel.status === status) return
  const leader = status === 'idle' ? null : channel.leader
  await updateChannel(trx, channel.id, { status, statusChangedAt: new Date(), leader })
  await appendEvent(trx, 'stream.status.changed.v1', channel.id, { channelId: channel.id, status }, cause)
}

/**
 * Finishes a start: builds the timeline and sets the channel live. A channel with nothing to play becomes idle again.
 * Returns the number of videos in its loop.
 */
export async function finishSyncing(
  trx: Trx,
  writer: TimelineWriter,
  channel: ChannelRow,
  nowMs: number,
  mode: ReplanMode,
  cause: Cause,
): Promise<number> {
  const { videosCount } = await writer.replan(trx, channel, nowMs, mode, cause)
  const planned = (await lockChannel(trx, channel.id)) ?? channel
  await setStatus(trx, planned, videosCount > 0 || planned.endsAtMs !== null ? 'live' : 'idle', cause)
  return videosCount
}
