import type { Answer } from './answer.ts'
import { type FakeVideo, type FakeVideos, isoDuration } from './videos.ts'

const MOST_IDS = 50

/** An error in the format of Google's JSON APIs. */
export function apiError(status: number, reason: string, message: string): Answer {
  return {
    status,
    json: { error: { code: status, message, errors: [{ message, domain: 'youtube', reason }] } },
  }
}

/** What the Data API answers when the quota of the day is used up. */
export const quotaExceeded = (): Answer =>
  apiError(
    403,
    'quotaExceeded',
    'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
  )

/** The refusal of a request without a key, or with one that starts with `bad`. */
export function refuseKey(query: URLSearchParams): Answer | undefined {
  const key = query.get('key') ?? ''
  if (key === '') return apiError(403, 'forbidden', 'Method doesn’t allow unregistered callers.')
  return key.startsWith('bad')
    ? apiError(400, 'badRequest', 'API key not valid. Please pass a valid API key.')
    : undefined
}

/** `GET /youtube/v3/videos`: private and removed videos are omitted without an error, as in the real API. */
export function listVideos(query: URLSearchParams, videos: FakeVideos): Answer {
  const ids = (query.get('id') ?? '').split(',').filter((id) => id !== '')
  if (ids.length === 0) return apiError(400, 'missingRequiredParameter', 'No filter selected.')
  if (ids.length > MOST_IDS) return apiError(400, 'invalidFilters', 'The request specifies too many ids.')
  const parts = new Set((query.get('part') ?? '').split(','))
  const items = [...new Set(ids)].flatMap((id) => {
    const video = videos.get(id)
    return video === undefined || video.state === 'private' || video.state === 'removed'
      ? []
      : [item(video, parts)]
  })
  return {
    status: 200,
    json: {
      kind: 'youtube#videoListResponse',
      items,
      pageInfo: { totalResults: items.length, resultsPerPage: items.length },
    },
  }
}

function item(video: FakeVideo, parts: ReadonlySet<string>): object {
  const thumbnail = (name: string, width: number, height: number) => ({
    url: `https://i.ytimg.com/vi/${video.id}/${name}.jpg`,
    width,
    height,
  })
  const all = {
    snippet: {
      publishedAt: '2020-01-01T00:00:00Z',
      title: video.title,
      description: video.description,
      channelTitle: video.channel,
      thumbnails: { default: thumbnail('default', 120, 90), high: thumbnail('hqdefault', 480, 360) },
      liveBroadcastContent: video.broadcast?.state ?? 'none',
    },
    contentDetails: {
      duration: video.broadcast ? 'P0D' : isoDuration(video.durationS),
      definition: 'hd',
      ...regionRestriction(video),
    },
    ...(video.broadcast
      ? { liveStreamingDetails: { scheduledStartTime: video.broadcast.scheduledStart } }
      : {}),
    status: {
      uploadStatus: 'processed',
      privacyStatus: video.privacyStatus ?? 'public',
      embeddable: video.state !== 'unembeddable',
    },
  }
  const shown = Object.entries(all).filter(([part]) => parts.has(part))
  return { kind: 'youtube#video', id: video.id, ...Object.fromEntries(shown) }
}

function regionRestriction({ regionBlocked, regionAllowed }: FakeVideo): object {
  if (regionAllowed !== undefined) return { regionRestriction: { allowed: regionAllowed } }
  if (regionBlocked !== undefined) return { regionRestriction: { blocked: regionBlocked } }
  return {}
}
