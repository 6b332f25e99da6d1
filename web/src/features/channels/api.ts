import type { AddChannelVideosResult, SavePlaylistBody } from '@looptide/contracts/http/channel-playlists'
import type { Channel, CreateChannelBody, UpdateChannelBody } from '@looptide/contracts/http/channels'
import type { SimulateBody } from '@looptide/contracts/http/simulation'
import { MAX_LOOK_UP } from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import useSWR, { mutate } from 'swr'
import { allVersionedPages } from '../../lib/api/all-pages.ts'
import { isKeyOf, keyOf, useCall } from '../../lib/api/use-call.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toEntry, type VersionedPlaylist } from './draft.ts'

const playlistKey = (channelId: string) =>
  keyOf('GET /api/channels/:id/playlist', { params: { id: channelId } }, { shape: 'versioned' })

/** Reloads every list of channels on the page. */
const reloadChannels = () => mutate(isKeyOf('GET /api/channels'))

/** Changes to channels. Each resolves when all channel lists on the page are reloaded, and throws ApiError. */
export const channelActions = {
  async create(body: CreateChannelBody): Promise<Channel> {
    const channel = await api.call('POST /api/channels', { body })
    await reloadChannels()
    return channel
  },

  async update(id: string, change: UpdateChannelBody): Promise<Channel> {
    const channel = await api.call('PATCH /api/channels/:id', { params: { id }, body: change })
    await reloadChannels()
    return channel
  },

  /** Stores a picture for a channel's `logoUrl`, and returns its URL. */
  async uploadLogo(image: Blob): Promise<string> {
    const { url } = await api.call('POST /api/theme/assets', { query: { keep: true }, body: image })
    return url
  },

  async remove(id: string): Promise<void> {
    await api.call('DELETE /api/channels/:id', { params: { id } })
    await reloadChannels()
  },
}

/** Maximum number of playlist rows in one response (contracts, ChannelPlaylistQuery). */
const ROWS_PER_REQUEST = 1_000

/** Reads the whole playlist of a channel, with its version. */
async function readPlaylist(channelId: string): Promise<VersionedPlaylist> {
  const { items, etag } = await allVersionedPages('GET /api/channels/:id/playlist', {
    params: { id: channelId },
    query: { limit: ROWS_PER_REQUEST },
  })
  return { items: items.map(toEntry), etag }
}

/** The whole playlist of a channel, reloaded after each change by another admin. */
export function useChannelPlaylist(channelId: string) {
  const response = useSWR(playlistKey(channelId), ([, { params }]) => readPlaylist(params.id), {
    revalidateOnFocus: false,
  })
  const reload = useReload(response)
  useTopic(
    'admin',
    topics.admin,
    {
      change: ({ action, targetId }) => {
        if (targetId === channelId && action.startsWith('playlist.')) reload()
      },
      video_removed: reload,
    },
    reload,
  )
  return response
}

/** Changes to a channel's playlist. Each is one atomic request and throws ApiError. */
export const playlistActions = {
  /** Appends videos, or inserts them at `position` (from 0). */
  async add(channelId: string, videoIds: string[], position?: number): Promise<AddChannelVideosResult> {
    const added = await api.call('POST /api/channels/:id/playlist', {
      params: { id: channelId },
      body: { videoIds, position },
    })
    await mutate(playlistKey(channelId))
    return added
  },

  /** Replaces the list of version `etag` and returns the new version. */
  async save(channelId: string, body: SavePlaylistBody, etag: string): Promise<string> {
    const saved = await api.callVersioned(
      'PUT /api/channels/:id/playlist',
      { params: { id: channelId }, body },
      { ifMatch: etag },
    )
    return saved.etag
  },

  /** Shows a saved playlist, then reloads it from the server. */
  show: (channelId: string, playlist: VersionedPlaylist) => mutate(playlistKey(channelId), playlist),

  reload: (channelId: string) => mutate(playlistKey(channelId)),
}

/** The id of the video that a channel is playing, or plays after the present card; undefined while it is off the air. */
export async function findCurrentVideo(channelId: string): Promise<string | undefined> {
  const { programmes } = await api.call('GET /api/channels/:id/now', { params: { id: channelId } })
  return programmes.find(({ kind }) => kind === 'video')?.videoId ?? undefined
}

/** Finds which of the videos are no longer in the library. */
export async function findMissingVideos(videoIds: readonly string[]): Promise<Set<string>> {
  const missing = new Set(videoIds)
  for (let first = 0; first < videoIds.length; first += MAX_LOOK_UP) {
    const ids = videoIds.slice(first, first + MAX_LOOK_UP).join()
    const { readyIds } = await api.call('GET /api/live-playlist/readiness', { query: { ids } })
    for (const id of readyIds) missing.delete(id)
  }
  return missing
}

/** Public videos that match the text, by title; all for an empty text. */
export function useVideoChoices(text: string) {
  return useCall(
    'GET /api/videos',
    { query: { sort: 'title', limit: 50, q: text || undefined } },
    { keepPreviousData: true, revalidateOnFocus: false },
  )
}

/** How often the simulation is reloaded, since a new programme starts every few minutes, in ms. */
const REFRESH_INTERVAL_MS = 30_000

/**
 * The next hours of a channel with `changes` applied. Reloaded every 30 seconds, and on the dashboard whenever the
 * timeline changes: moderators cannot join the dashboard's topic, and the attempt would be a security event in the audit log.
 */
export function useSimulation(channelId: string, changes: SimulateBody) {
  const { may } = useSession()
  const response = useSWR(
    ['simulation', channelId, JSON.stringify(changes)] as const,
    ([, id, body]) => api.call('POST /api/channels/:id/simulate', { params: { id }, body: JSON.parse(body) }),
    { keepPreviousData: true, refreshInterval: REFRESH_INTERVAL_MS, shouldRetryOnError: false },
  )
  const reload = useReload(response)
  const reloadIfChanged = (changed: { channelId: string }) => {
    if (changed.channelId === channelId) reload()
  }
  useTopic(
    'admin',
    may('dashboard:watch') ? topics.admin : null,
    { timeline: reloadIfChanged, status: reloadIfChanged, programme: reloadIfChanged },
    reload,
  )
  return response
}
