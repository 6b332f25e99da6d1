import { useAllPages, useCall } from '../../lib/api/use-call.ts'

/** Reload interval in ms: moderators receive no changes of channels. */
const REFRESH_INTERVAL_MS = 5_000
/** Reload interval of takeovers that are over, in ms. */
const PAST_REFRESH_INTERVAL_MS = 30_000

/** All channels, by position. */
export function useChannelList() {
  return useAllPages('GET /api/channels', {}, { refreshInterval: REFRESH_INTERVAL_MS })
}

/** The takeovers of a channel that have been on in [fromMs, toMs). No request without a channel. */
export function usePastTakeovers(channelId: string | undefined, range: { fromMs: number; toMs: number }) {
  return useCall(
    'GET /api/channels/:id/takeovers',
    channelId === undefined ? null : { params: { id: channelId }, query: range },
    { refreshInterval: PAST_REFRESH_INTERVAL_MS },
  )
}

/** The takeover that is on the air of a channel, or null. No request without a channel. */
export function useTakeover(channelId: string | undefined) {
  return useCall(
    'GET /api/channels/:id/takeover',
    channelId === undefined ? null : { params: { id: channelId } },
    { refreshInterval: REFRESH_INTERVAL_MS },
  )
}
