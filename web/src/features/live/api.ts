import type { NowState, ProgrammeVideo } from '@looptide/contracts/http/channels'
import type { GuideRow } from '@looptide/contracts/http/guide'
import type { Video } from '@looptide/contracts/http/videos'
import { ApiError } from '../../lib/api/api-error.ts'
import { useAllPages, useCall } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'

/** docs/product/viewer.md §9: health check every 30 s. */
const HEALTH_CHECK_MS = 30_000

/**
 * The current programme and the next two hours. Throws the `ApiError` of a refusal; any other error is an outage
 * (docs/product/viewer.md §8).
 */
export async function fetchNow(channelId: string): Promise<NowState> {
  try {
    return await api.call('GET /api/channels/:id/now', { params: { id: channelId } }, { anonymous: true })
  } catch (cause) {
    if (cause instanceof ApiError && !cause.isOutage) throw cause
    throw new Error('Failed to fetch external stream', { cause })
  }
}

/** docs/product/viewer.md §9: interval of stream polls without a socket. */
export const POLL_MS = 15_000

/** The programmes of a channel over HTTP, without counting as one of its viewers. Sends no request while `channelId` is null. */
export function useProgrammes(channelId: string | null) {
  const { data, mutate } = useCall(
    'GET /api/channels/:id/now',
    channelId === null ? null : { params: { id: channelId } },
    { anonymous: true, refreshInterval: POLL_MS },
  )
  return { programmes: data?.programmes, refresh: () => void mutate() }
}

/** Interval at which the channel list is loaded again, in ms: what is on now and next covers ten minutes. */
const CHANNEL_LIST_MS = 60_000
/** Hours of the guide in which the channel list finds what follows a long video. */
const CHANNEL_LIST_HOURS = 3

/** The guide of all channels for the next hours, with what is on now and next. */
export function useGuideRows(): readonly GuideRow[] | undefined {
  const { data } = useAllPages(
    'GET /api/guide',
    { query: { hours: CHANNEL_LIST_HOURS } },
    { anonymous: true, refreshInterval: CHANNEL_LIST_MS },
  )
  return data
}

export type ServerStatus = 'checking' | 'connected' | 'disconnected'

/**
 * connected while at least one server that viewers depend on is healthy; disconnected after a failed check (docs/product/viewer.md §4). While the socket reports the health (`pushed`), nothing is requested over HTTP: the headers of one
 * request alone exceed the whole traffic of an idle viewer.
 */
export function useServerStatus(pushed: boolean | undefined): { status: ServerStatus; check: () => void } {
  const { data, error, mutate } = useCall(
    'GET /api/health',
    {},
    {
      anonymous: true,
      refreshInterval: pushed === undefined ? HEALTH_CHECK_MS : 0,
      revalidateOnFocus: false,
    },
  )
  const isHealthy =
    pushed ?? (!error && data?.results.some(({ healthy, isViewerFacing }) => healthy && isViewerFacing))
  const status = isHealthy ? 'connected' : data || error ? 'disconnected' : 'checking'
  return { status, check: () => void mutate() }
}

/** A public video, chosen in the search. */
export function fetchVideo(videoId: string): Promise<Video> {
  return api.call('GET /api/videos/:id', { params: { id: videoId } })
}

/** Counts a view by a signed-in user. Best effort: failures are ignored. */
export function countView(videoId: string): void {
  void api.call('POST /api/videos/:id/views', { params: { id: videoId } }).catch(() => undefined)
}

/** Videos for viewers in whose region a programme does not play, the same for all of them. Empty if the request fails. */
export async function fetchSubstitutes(
  channelId: string,
  programmeId: string,
): Promise<readonly ProgrammeVideo[]> {
  try {
    const { substitutes } = await api.call(
      'GET /api/channels/:id/programmes/:programmeId/substitutes',
      { params: { id: channelId, programmeId } },
      { anonymous: true },
    )
    return substitutes
  } catch {
    return []
  }
}

/** Reports a player error with the viewer's time zone, or a measured duration. Best effort: failures are ignored. */
export function reportPlayback(
  channelId: string,
  report: { videoId: string; errorCode: number; timeZone: string } | { videoId: string; durationMs: number },
): void {
  void api
    .call('POST /api/channels/:id/reports', { params: { id: channelId }, body: report })
    .catch(() => undefined)
}
