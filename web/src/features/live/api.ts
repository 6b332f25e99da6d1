import type { HealthReport } from '@looptide/contracts/http/admin'
import type { NowState } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import useSWR from 'swr'
import { ApiError } from '../../lib/api-error.ts'
import { api } from '../../lib/clients.ts'

/** Viewer specification §9: health check every 30 s. */
const HEALTH_CHECK_MS = 30_000

const channelPath = (channelId: string): string => `/api/channels/${encodeURIComponent(channelId)}`

/**
 * What is on and what comes within two hours. Throws the ApiError of a refusal; anything else is an outage (viewer
 * specification §8).
 */
export async function fetchNow(channelId: string): Promise<NowState> {
  try {
    return await api.get<NowState>(`${channelPath(channelId)}/now`, { anonymous: true })
  } catch (cause) {
    if (cause instanceof ApiError && !cause.isOutage) throw cause
    throw new Error('Failed to fetch external stream', { cause })
  }
}

/** Viewer specification §9: how often the stream is asked for without a socket. */
export const POLL_MS = 15_000

/** The programmes of a channel over HTTP, without counting as one of its viewers. Sends no request while `channelId` is null. */
export function useProgrammes(channelId: string | null) {
  const { data, mutate } = useSWR(
    channelId === null ? null : (['/api/channels/now', channelId] as const),
    ([, id]) => fetchNow(id),
    { refreshInterval: POLL_MS },
  )
  return { programmes: data?.programmes, refresh: () => void mutate() }
}

export type ServerStatus = 'checking' | 'connected' | 'disconnected'

/**
 * connected when at least one server that viewers depend on reports healthy; disconnected on a failed check (viewer
 * specification §4). While the socket tells (`told`), nothing is asked over HTTP: a request's head alone is more than all an idle viewer costs.
 */
export function useServerStatus(told: boolean | undefined): { status: ServerStatus; check: () => void } {
  const { data, error, mutate } = useSWR(
    '/api/health',
    (path: string) => api.get<HealthReport>(path, { anonymous: true }),
    { refreshInterval: told === undefined ? HEALTH_CHECK_MS : 0, revalidateOnFocus: false },
  )
  const isHealthy =
    told ?? (!error && data?.results.some(({ healthy, isViewerFacing }) => healthy && isViewerFacing))
  const status = isHealthy ? 'connected' : data || error ? 'disconnected' : 'checking'
  return { status, check: () => void mutate() }
}

/** One public video, for somebody who chose it in the search. */
export function fetchVideo(videoId: string): Promise<Video> {
  return api.get<Video>(`/api/videos/${encodeURIComponent(videoId)}`)
}

/** Counts that somebody signed in has opened a video. A count that gets lost is no loss. */
export function countView(videoId: string): void {
  void api.post(`/api/videos/${encodeURIComponent(videoId)}/views`).catch(() => undefined)
}

/** Tells the station what this viewer's player found out. A report that gets lost is no loss. */
export function reportPlayback(
  channelId: string,
  report: { videoId: string; errorCode: number } | { videoId: string; durationMs: number },
): void {
  void api.post(`${channelPath(channelId)}/reports`, report).catch(() => undefined)
}
