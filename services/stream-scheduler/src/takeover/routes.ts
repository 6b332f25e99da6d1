import { MAX_TAKEOVERS_RANGE_MS } from '@looptide/contracts/http/takeovers'
import {
  streamTakeoverGet,
  streamTakeoverList,
  streamTakeoverStart,
  streamTakeoverStop,
} from '@looptide/contracts/operations/stream/channels'
import { errors } from '@looptide/service-kit/http/errors'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { TakeoverService } from './takeover-service.ts'

/** Routes of live takeovers. */
export const takeoverRoutes = ({
  takeovers,
  guard,
}: {
  takeovers: TakeoverService
  guard: Guard
}): Route[] => [
  route(streamTakeoverGet, async ({ params }) => ({ takeover: await takeovers.current(params.id) })),
  route(streamTakeoverList, async ({ params, query: { fromMs, toMs } }) => {
    if (toMs <= fromMs || toMs - fromMs > MAX_TAKEOVERS_RANGE_MS)
      throw errors.validation('The range is from one instant to a later one, at most 8 days.')
    return { items: await takeovers.past(params.id, fromMs, toMs) }
  }),
  route(streamTakeoverStart, async ({ request, params, body, cause }) => {
    await guard.check(request, 'stream.takeover.moderator')
    return takeovers.start(params.id, body, cause)
  }),
  route(streamTakeoverStop, ({ params, query, cause }) =>
    takeovers.stop(params.id, query.undo ?? false, cause),
  ),
]
