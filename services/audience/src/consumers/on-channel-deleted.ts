import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { deleteAiringsOf } from '../features/airings/airing-repository.ts'
import { deletePollsOf } from '../features/polls/poll-repository.ts'
import { deleteReactionsOf } from '../features/reactions/reaction-repository.ts'
import { forgetGuide } from '../features/reminders/guide-repository.ts'
import { REMOVAL_WAIT_MS } from '../features/reminders/reminded-starts.ts'
import { endRemindersOf } from '../features/reminders/reminder-repository.ts'
import { deleteChannel } from '../features/settings/settings-repository.ts'

/**
 * Deletes what belongs to a deleted channel: its requests with votes and receipts, its loads, queues and exclusions, its
 * polls, its airings and the reactions to them. Reminders of its programmes send a notice.
 */
export const onChannelDeleted =
  (now: () => number) =>
  async (
    trx: Transaction<Database>,
    { data: { channelId } }: Envelope<'stream.channel.deleted.v1'>,
  ): Promise<void> => {
    await deletePollsOf(trx, channelId)
    await deleteChannel(trx, channelId)
    await deleteReactionsOf(trx, channelId)
    await deleteAiringsOf(trx, channelId)
    const nowMs = now()
    await endRemindersOf(trx, channelId, { now: new Date(nowMs), dueAt: new Date(nowMs + REMOVAL_WAIT_MS) })
    await forgetGuide(trx, channelId)
  }
