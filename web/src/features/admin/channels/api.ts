import type {
  AddedChannelVideos,
  Channel,
  ChannelPlaylistItem,
  CreateChannelBody,
  UpdateChannelBody,
} from '@looptide/contracts/http/channels'
import type { Profile } from '@looptide/contracts/http/people'
import type { SimulateBody, Simulation, WhyProgramme } from '@looptide/contracts/http/simulation'
import type { VideoPage } from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import useSWR, { mutate } from 'swr'
import { allPages } from '../../../lib/all-pages.ts'
import { api } from '../../../lib/clients.ts'
import { useReload } from '../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../lib/use-topic.ts'

const CHANNELS = '/api/channels'
const channelPath = (id: string): string => `${CHANNELS}/${encodeURIComponent(id)}`
const playlistKey = (channelId: string) => ['channel-playlist', channelId] as const

const startsWith = (first: string) => (key: unknown) => Array.isArray(key) && key[0] === first
const renewChannels = () => mutate(startsWith(CHANNELS))

/** What an admin does with channels. Each resolves when every list on the page shows it; each throws ApiError. */
export const channelActions = {
  async create(body: CreateChannelBody): Promise<Channel> {
    const channel = await api.post<Channel>(CHANNELS, body)
    await renewChannels()
    return channel
  },

  async update(id: string, change: UpdateChannelBody): Promise<Channel> {
    const channel = await api.patch<Channel>(channelPath(id), change)
    await renewChannels()
    return channel
  },

  async remove(id: string): Promise<void> {
    await api.delete(channelPath(id))
    await renewChannels()
  },
}

/** Rows of a playlist that one request returns at most (contracts, ChannelPlaylistQuery). */
const ROWS_PER_REQUEST = 1_000

/** The whole playlist of a channel in its order. What another desk changes is read anew. */
export function useChannelPlaylist(channelId: string) {
  const answer = useSWR(
    playlistKey(channelId),
    ([, id]) =>
      allPages<ChannelPlaylistItem>(`${channelPath(id)}/playlist`, { query: { limit: ROWS_PER_REQUEST } }),
    { revalidateOnFocus: false },
  )
  const reload = useReload(answer)
  useTopic(
    'admin',
    topics.admin,
    {
      audit: ({ entry }) => {
        if (entry.targetId === channelId && entry.action?.startsWith('playlist.')) reload()
      },
      video_removed: reload,
    },
    reload,
  )
  return answer
}

/** What an admin does with a channel's playlist; each is one call, all or nothing. Each throws ApiError. */
export const playlistActions = {
  /** Behind the last video, or back to `position` (from 0). */
  async add(channelId: string, videoIds: string[], position?: number): Promise<AddedChannelVideos> {
    const added = await api.post<AddedChannelVideos>(`${channelPath(channelId)}/playlist`, {
      videoIds,
      position,
    })
    await mutate(playlistKey(channelId))
    return added
  },

  async remove(channelId: string, itemId: string): Promise<void> {
    await api.delete(`${channelPath(channelId)}/playlist/${encodeURIComponent(itemId)}`)
    await mutate(playlistKey(channelId))
  },

  /** Shows the new order at once, and the old one when it fails; then what the server has is read again. */
  async reorder(channelId: string, items: readonly ChannelPlaylistItem[]): Promise<void> {
    const key = playlistKey(channelId)
    const save = async () => {
      await api.put(`${channelPath(channelId)}/playlist/order`, { itemIds: items.map((item) => item.id) })
      return [...items]
    }
    try {
      await mutate(key, save, { optimisticData: [...items], rollbackOnError: true, revalidate: false })
    } finally {
      await mutate(key)
    }
  },
}

/** Public videos by title, or those that contain the text. */
export function useVideoChoices(text: string) {
  return useSWR(
    ['/api/videos', 'choices', text] as const,
    ([path, , q]) => api.get<VideoPage>(path, { query: { sort: 'title', limit: 50, ...(q && { q }) } }),
    { keepPreviousData: true, revalidateOnFocus: false },
  )
}

/** Programmes begin every few minutes: the list is read anew so often (ms). */
const SIMULATE_AGAIN_MS = 30_000

/** The next hours as they would be after a change; without one, as they are. Follows the timeline. */
export function useSimulation(channelId: string, wish: SimulateBody) {
  const answer = useSWR(
    ['simulation', channelId, JSON.stringify(wish)] as const,
    ([, id, body]) => api.post<Simulation>(`${channelPath(id)}/simulate`, JSON.parse(body)),
    { keepPreviousData: true, refreshInterval: SIMULATE_AGAIN_MS, shouldRetryOnError: false },
  )
  const reload = useReload(answer)
  const renew = (changed: { channelId: string }) => {
    if (changed.channelId === channelId) reload()
  }
  useTopic('admin', topics.admin, { timeline: renew, status: renew, programme: renew })
  return answer
}

/** Why a programme is on; `not_found` when it was planned anew meanwhile. */
export const useWhy = (channelId: string, programmeId: string) =>
  useSWR(`${channelPath(channelId)}/why/${encodeURIComponent(programmeId)}`, (path: string) =>
    api.get<WhyProgramme>(path),
  )

/** How somebody is called; asks nothing without an id. */
export const useProfileName = (userId: string | null | undefined): string | undefined => {
  const { data } = useSWR(userId ? (['/api/profiles', userId] as const) : null, ([path, id]) =>
    api.get<Profile>(`${path}/${encodeURIComponent(id)}`),
  )
  return data?.artistName ?? data?.handle ?? undefined
}
