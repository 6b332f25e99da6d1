import {
  audiencePollCreate,
  audiencePollEnd,
  audiencePollGet,
  audiencePollList,
  audiencePollRemove,
  audiencePollVote,
} from '@looptide/contracts/operations/audience/polls'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { NetworkOf } from '../networks/network-of.ts'
import type { RequireVisible } from '../rules/request-check.ts'
import type { PollService } from './poll-service.ts'

interface Deps {
  polls: PollService
  networkOf: NetworkOf
  requireVisible: RequireVisible
}

/** The routes of polls. */
export const pollRoutes = ({ polls, networkOf, requireVisible }: Deps): Route[] => [
  route(audiencePollList, async ({ params, query, user }) => {
    await requireVisible(params.id, user)
    return polls.list(params.id, query)
  }),
  route(audiencePollCreate, async ({ params, body, user, cause }) =>
    answer(201, await polls.create(params.id, body, { askedBy: user.id, cause })),
  ),
  route(audiencePollGet, ({ params, user }) => polls.get(params.id, user?.id ?? null)),
  route(audiencePollVote, ({ params, body, user, request }) =>
    polls.vote(params.id, body.answer, user.id, networkOf(request)),
  ),
  route(audiencePollEnd, ({ params, cause }) => polls.end(params.id, cause)),
  route(audiencePollRemove, ({ params, cause }) => polls.remove(params.id, cause)),
]
