import type { Channel } from '@looptide/contracts/http/channels'
import type { CurrentTakeover, StartTakeoverBody, Takeover } from '@looptide/contracts/http/takeovers'
import useSWR from 'swr'
import { allPages } from '../../../lib/api/all-pages.ts'
import { api } from '../../../lib/clients.ts'

/** Reload interval in ms: moderators receive no changes of channels. */
const REFRESH_INTERVAL_MS = 5_000

const takeoverPath = (channelId: string): string => `/api/channels/${encodeURIComponent(channelId)}/takeover`

/** All channels, by position. */
export function useChannelList() {
  return useSWR(['/api/channels', 'takeover'], ([path]) => allPages<Channel>(path), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })
}

/** The takeover that is on the air of a channel, or null. */
export function useTakeover(channelId: string) {
  return useSWR(
    takeoverPath(channelId),
    async (path: string) => (await api.get<CurrentTakeover>(path)).takeover,
    { refreshInterval: REFRESH_INTERVAL_MS },
  )
}

export const startTakeover = (channelId: string, body: StartTakeoverBody): Promise<Takeover> =>
  api.post(takeoverPath(channelId), body)

/** Ends the takeover; with `undo`, the programme continues as if it had not been interrupted. */
export async function stopTakeover(channelId: string, undo = false): Promise<void> {
  await api.delete(`${takeoverPath(channelId)}${undo ? '?undo=true' : ''}`)
}
