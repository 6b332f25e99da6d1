import type { OwnRequest } from '@looptide/contracts/http/requests'
import { topics } from '@looptide/contracts/realtime'
import { toast } from '../../ui/toast.ts'
import { api, realtime, serverClock } from '../clients.ts'
import { noticeOf } from './request-times.ts'

/** Own requests that are compared, the newest ones: more than can wait at the same time. */
const COMPARED = 10

const followers = new Set<() => void>()
/** The requests as they were compared last, also on channels that were watched before. */
const known = new Map<string, OwnRequest>()

/** A request as it was before; undefined for one of which nothing is new since the page was opened. */
function before(request: OwnRequest): OwnRequest | undefined {
  const openedAtMs = serverClock.nowMs() - performance.now()
  const isNews = request.endedAt !== null && Date.parse(request.endedAt) > openedAtMs
  return known.get(request.id) ?? (isNews ? { ...request, state: 'waiting', endedAt: null } : undefined)
}

/** Call it after the viewer has requested a video. */
export function ownRequestsChanged(): void {
  for (const load of followers) load()
}

/** Notifies the signed-in viewer of a channel of what becomes of their requests on it. Returns a function that ends it. */
export function followOwnRequests(channelId: string): () => void {
  let isEnded = false
  const show = (request: OwnRequest) => {
    const previous = before(request)
    known.set(request.id, request)
    const notice = previous && noticeOf(previous, request, serverClock.nowMs())
    if (notice) toast(notice)
  }
  const load = () => {
    api.call('GET /api/me/requests', { query: { limit: COMPARED } }).then(
      ({ items }) => {
        if (!isEnded) for (const request of items.filter((one) => one.channelId === channelId)) show(request)
      },
      // Best effort: the panel of the requests shows the same.
      () => undefined,
    )
  }
  followers.add(load)
  const subscription = realtime.subscribe('stream', topics.stream(channelId), {
    pushes: {
      request: ({ requestId }) => {
        if (known.has(requestId)) load()
      },
    },
    onState: (state) => {
      if (state === 'joined') load()
    },
  })
  return () => {
    isEnded = true
    followers.delete(load)
    subscription.leave()
  }
}
