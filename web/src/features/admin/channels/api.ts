import type {
  AddChannelVideosResult,
  Channel,
  ChannelPlaylistPage,
  CreateChannelBody,
  NowState,
  SavePlaylistBody,
  SavePlaylistResult,
  UpdateChannelBody,
  VideoReadiness,
} from '@looptide/contracts/http/channels'
import type { ProgrammeExplanation, SimulateBody, Simulation } from '@looptide/contracts/http/simulation'
import type { Profile } from '@looptide/contracts/http/users'
import { MAX_LOOK_UP, type VideoPage } from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import useSWR, { mutate } from 'swr'
import { api } from '../../../lib/clients.ts'
import { useReload } from '../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../lib/use-topic.ts'
import { type Entry, toEntry, type VersionedPlaylist } from './draft.ts'

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

/** How often a playlist is read that changes between its pages. */
const MAX_READS = 3

/** The whole playlist of a channel in its order, with its version. */
async function readPlaylist(channelId: string): Promise<VersionedPlaylist> {
  for (let reads = 1; ; reads += 1) {
    const { isWhole, ...playlist } = await readPages(channelId)
    // A mixture carries the version of its first page, so that it cannot be saved.
    if (isWhole || reads === MAX_READS) return playlist
  }
}

/** All pages, and whether they are of one version: that of the first one. */
async function readPages(channelId: string): Promise<VersionedPlaylist & { isWhole: boolean }> {
  const items: Entry[] = []
  const versions = new Set<string>()
  let cursor: string | undefined
  do {
    const query = { limit: ROWS_PER_REQUEST, cursor }
    const path = `${channelPath(channelId)}/playlist`
    const { body, etag } = await api.getVersioned<ChannelPlaylistPage>(path, { query })
    items.push(...body.items.map(toEntry))
    versions.add(etag)
    cursor = body.nextCursor ?? undefined
  } while (cursor !== undefined)
  const [first = ''] = versions
  return { items, etag: first, isWhole: versions.size === 1 }
}

/** The whole playlist of a channel. It is read again after each change by another admin. */
export function useChannelPlaylist(channelId: string) {
  const answer = useSWR(playlistKey(channelId), ([, id]) => readPlaylist(id), { revalidateOnFocus: false })
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
  async add(channelId: string, videoIds: string[], position?: number): Promise<AddChannelVideosResult> {
    const added = await api.post<AddChannelVideosResult>(`${channelPath(channelId)}/playlist`, {
      videoIds,
      position,
    })
    await mutate(playlistKey(channelId))
    return added
  },

  /** Removes, adds and moves in one change of the version `etag`; returns the new version. */
  async save(channelId: string, body: SavePlaylistBody, etag: string): Promise<string> {
    const path = `${channelPath(channelId)}/playlist`
    const saved = await api.putVersioned<SavePlaylistResult>(path, body, { ifMatch: etag })
    return saved.etag
  },

  /** Shows a saved playlist, then what the server has. */
  show: (channelId: string, playlist: VersionedPlaylist) => mutate(playlistKey(channelId), playlist),

  reload: (channelId: string) => mutate(playlistKey(channelId)),
}

/** The video that is on a channel now; undefined off the air. */
export async function videoOnNow(channelId: string): Promise<string | undefined> {
  const { programmes } = await api.get<NowState>(`${channelPath(channelId)}/now`)
  return programmes[0]?.videoId
}

/** Those of the videos that the library no longer has. */
export async function goneVideos(videoIds: readonly string[]): Promise<Set<string>> {
  const gone = new Set(videoIds)
  for (let first = 0; first < videoIds.length; first += MAX_LOOK_UP) {
    const ids = videoIds.slice(first, first + MAX_LOOK_UP).join()
    const { readyIds } = await api.get<VideoReadiness>('/api/live-playlist/readiness', { query: { ids } })
    for (const id of readyIds) gone.delete(id)
  }
  return gone
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
export function useSimulation(channelId: string, changes: SimulateBody) {
  const answer = useSWR(
    ['simulation', channelId, JSON.stringify(changes)] as const,
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
  useSWR(
    `${channelPath(channelId)}/programmes/${encodeURIComponent(programmeId)}/explanation`,
    (path: string) => api.get<ProgrammeExplanation>(path),
  )

/** How somebody is called; asks nothing without an id. */
export const useProfileName = (userId: string | null | undefined): string | undefined => {
  const { data } = useSWR(userId ? (['/api/profiles', userId] as const) : null, ([path, id]) =>
    api.get<Profile>(`${path}/${encodeURIComponent(id)}`),
  )
  return data?.artistName ?? data?.handle ?? undefined
}
