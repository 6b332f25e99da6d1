import { ChatCounts } from '@looptide/contracts/http/chat'
import { errors } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'
import { Check } from 'typebox/value'

/** A range of time of a channel, in epoch ms. */
interface TimeRange {
  channelId: string
  fromMs: number
  toMs: number
}

/** How many chat messages were posted in each range, in their order. Throws `service_unavailable` without the chat. */
export type CountMessages = (ranges: readonly TimeRange[]) => Promise<readonly number[]>

/** {@link CountMessages} over HTTP: one request, for at most MAX_COUNTED_RANGES ranges. */
export const createCountMessages =
  ({ chatUrl, internalToken }: { chatUrl: string; internalToken: string }): CountMessages =>
  async (ranges) => {
    const url = `${chatUrl}/internal/chat/message-counts`
    const found = await callInternal(url, 'The chat', { method: 'POST', body: { ranges }, internalToken })
    if (!Check(ChatCounts, found) || found.counts.length !== ranges.length)
      throw errors.unavailable('The chat')
    return found.counts
  }
