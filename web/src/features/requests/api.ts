import type { Channel } from '@looptide/contracts/http/channels'
import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import { mutate } from 'swr'
import { useActiveChannels } from '../../lib/api/use-active-channels.ts'
import { isKeyOf, useCall } from '../../lib/api/use-call.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { api } from '../../lib/clients.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { ownRequestsChanged } from '../../lib/requests/own-requests.ts'

/** The active channels whose schedules have slots for requests; none on a station without requests. */
export function useRequestChannels(): readonly Channel[] {
  const { requests } = useConfig()
  const { data } = useActiveChannels()
  return requests && data ? data.filter(({ takesRequests }) => takesRequests) : []
}

/** Whether votes decide on a channel. True if it does not say how its slots choose. */
export const countsVotes = ({ requestSlots }: Pick<Channel, 'requestSlots'>): boolean =>
  requestSlots?.includes('votes') ?? true

type VotePush = ServerPushes['stream']['votes']

/** Requests with the numbers of votes that a push has. */
const withVotes = <T extends { id: string; votes: number }>(items: T[], votes: VotePush['votes']): T[] =>
  items.map((item) => ({ ...item, votes: votes[item.id] ?? item.votes }))

/**
 * The requests that wait on a channel, in the order in which they would be on the air, with the viewer's votes. Requested
 * again after a push, at a random time within seconds, so that the lists of all viewers are not requested at once.
 */
export function useRequests(channelId: string) {
  const { reloadLater, showVotes, ...list } = useWaiting(channelId)
  const events = { request: reloadLater, votes: showVotes }
  useTopic('stream', topics.stream(channelId), events, reloadLater)
  return list
}

/** As {@link useRequests}, for staff: members of a channel's topic count as its viewers. */
export function useRequestsAsStaff(channelId: string) {
  const { reloadLater, showVotes, ...list } = useWaiting(channelId)
  useTopic(
    'admin',
    topics.admin,
    { request: (changed) => changed.channelId === channelId && reloadLater(), votes: showVotes },
    reloadLater,
  )
  return list
}

function useWaiting(channelId: string) {
  const { pages, ...list } = useListPage('GET /api/channels/:id/requests', { params: { id: channelId } })
  const reload = useReload(pages)
  const change = (apply: (items: ViewerRequest[]) => ViewerRequest[]) =>
    void pages.mutate((known) => known?.map((page) => ({ ...page, items: apply(page.items) })), {
      revalidate: false,
    })
  return {
    reloadLater: useRandomDelay(reload),
    showVotes: ({ votes }: VotePush) => change((items) => withVotes(items, votes)),
    ...list,
    reload,
    /** Shows a request as the server has just answered. */
    replace: (id: string, answer: Partial<ViewerRequest>) =>
      change((items) => items.map((item) => (item.id === id ? { ...item, ...answer } : item))),
  }
}

/** Requests of one video that are looked at for the viewer's own one. */
const OF_VIDEO = 20

/** The requests of a video that wait on a channel, the next one first. */
export function useWaitingFor(channelId: string | undefined, videoId: string) {
  const input = channelId === undefined ? null : { params: { id: channelId }, query: waitingQuery(videoId) }
  const { data, isLoading, mutate: change } = useCall('GET /api/channels/:id/requests', input)
  const items = data?.items ?? []
  return {
    items,
    isLoading,
    /** Shows a request as the server has just answered. */
    replace: (id: string, vote: Pick<ViewerRequest, 'votes' | 'hasVoted'>) =>
      void change(
        data && { ...data, items: items.map((item) => (item.id === id ? { ...item, ...vote } : item)) },
        {
          revalidate: false,
        },
      ),
  }
}

const waitingQuery = (videoId: string) => ({ videoId, limit: OF_VIDEO })

/** The next waiting request of a video on a channel; undefined if there is none. */
export const findWaitingFor = async (
  channelId: string,
  videoId: string,
): Promise<ViewerRequest | undefined> =>
  (
    await api.call('GET /api/channels/:id/requests', {
      params: { id: channelId },
      query: waitingQuery(videoId),
    })
  ).items[0]

/** Whether a channel accepts requests at present. */
export const useRequestSettings = (channelId: string) =>
  useCall('GET /api/channels/:id/requests/settings', { params: { id: channelId } }, { anonymous: true })

/** Videos and artists that cannot be requested on a channel. For staff. */
export const useRequestExclusions = (channelId: string) =>
  useCall('GET /api/channels/:id/requests/exclusions', { params: { id: channelId } })

/** The newest requests of the signed-in viewer on all channels, in any state. Requested again when one of a channel changes. */
export function useOwnRequests(channelId: string) {
  const { data, mutate } = useCall('GET /api/me/requests', { query: { limit: 10 } })
  const reload = useRandomDelay(() => void mutate())
  const showVotes = ({ votes }: VotePush) =>
    void mutate((known) => known && { ...known, items: withVotes(known.items, votes) }, { revalidate: false })
  useTopic('stream', topics.stream(channelId), { request: reload, votes: showVotes }, reload)
  return { items: data?.items ?? [], reload: () => void mutate() }
}

const isListKey = isKeyOf('GET /api/channels/:id/requests')
const isOwnKey = isKeyOf('GET /api/me/requests')

/** Requests a video on a channel. Returns the request, the viewer's waiting one if there is one for this video. */
export async function requestVideo(channelId: string, videoId: string): Promise<ViewerRequest> {
  const input = { params: { id: channelId }, body: { videoId } }
  const request = await api.call('POST /api/channels/:id/requests', input)
  void mutate(isListKey)
  void mutate(isOwnKey)
  ownRequestsChanged()
  return request
}
