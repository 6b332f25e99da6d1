import {
  audienceRequestCreate,
  audienceRequestGet,
  audienceRequestList,
  audienceRequestListOwn,
  audienceRequestPin,
  audienceRequestRefuse,
  audienceRequestUnpin,
  audienceRequestWithdraw,
  audienceVoteCast,
  audienceVoteWithdraw,
} from '@looptide/contracts/operations/audience/requests'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { NetworkOf } from '../networks/network-of.ts'
import type { RequireVisible } from '../rules/request-check.ts'
import type { RequestModeration } from './request-moderation.ts'
import type { RequestReader } from './request-reader.ts'
import type { RequestService } from './request-service.ts'
import type { VoteService } from './vote-service.ts'

interface Deps {
  requests: RequestService
  reader: RequestReader
  moderation: RequestModeration
  votes: VoteService
  networkOf: NetworkOf
  requireVisible: RequireVisible
}

/** The routes of requests and votes. */
export const requestRoutes = ({
  requests,
  reader,
  moderation,
  votes,
  networkOf,
  requireVisible,
}: Deps): Route[] => [
  route(audienceRequestList, async ({ params, query, user }) => {
    await requireVisible(params.id, user)
    return reader.list(params.id, user?.id ?? null, query)
  }),
  route(audienceRequestGet, async ({ params, user }) => {
    const { channelId, request } = await reader.find(params.requestId, user?.id ?? null)
    await requireVisible(channelId, user)
    return request
  }),
  route(audienceRequestListOwn, ({ query, user }) => reader.listOwn(user.id, query)),
  route(audienceRequestCreate, async ({ params, body, user, request, cause }) => {
    const created = await requests.create({
      channelId: params.id,
      userId: user.id,
      videoId: body.videoId,
      network: networkOf(request),
      cause,
    })
    return answer(created.isNew ? 201 : 200, await reader.get(created.id, user.id))
  }),
  route(audienceRequestWithdraw, ({ params, user, cause }) =>
    moderation.withdraw(user, params.requestId, cause),
  ),
  route(audienceRequestRefuse, async ({ params, body, user, cause }) => {
    await moderation.refuse(params.requestId, body.reason, cause)
    return reader.get(params.requestId, user.id)
  }),
  route(audienceRequestPin, async ({ params, user, cause }) => {
    await moderation.pin(params.requestId, true, cause)
    return reader.get(params.requestId, user.id)
  }),
  route(audienceRequestUnpin, async ({ params, user, cause }) => {
    await moderation.pin(params.requestId, false, cause)
    return reader.get(params.requestId, user.id)
  }),
  route(audienceVoteCast, ({ user, params, request }) =>
    votes.cast(user.id, networkOf(request), params.requestId),
  ),
  route(audienceVoteWithdraw, ({ user, params }) => votes.withdraw(user.id, params.requestId)),
]
