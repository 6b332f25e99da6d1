import type { StartTakeoverBody, Takeover } from '@looptide/contracts/http/takeovers'
import { useAllPages, useCall } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'

/** Reload interval in ms: moderators receive no changes of channels. */
const REFRESH_INTERVAL_MS = 5_000

/** All channels, by position. */
export function useChannelList() {
  return useAllPages('GET /api/channels', {}, { refreshInterval: REFRESH_INTERVAL_MS })
}

/** The takeover that is on the air of a channel, or null. */
export function useTakeover(channelId: string) {
  return useCall(
    'GET /api/channels/:id/takeover',
    { params: { id: channelId } },
    { refreshInterval: REFRESH_INTERVAL_MS },
  )
}

export const startTakeover = (channelId: string, body: StartTakeoverBody): Promise<Takeover> =>
  api.call('POST /api/channels/:id/takeover', { params: { id: channelId }, body })

/** Ends the takeover; with `undo`, the programme continues as if it had not been interrupted. */
export const stopTakeover = (channelId: string, undo: boolean): Promise<void> =>
  api.call('DELETE /api/channels/:id/takeover', { params: { id: channelId }, query: { undo } })
