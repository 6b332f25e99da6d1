import {
  streamTakeoverGet,
  streamTakeoverStart,
  streamTakeoverStop,
} from '@looptide/contracts/operations/stream/channels'
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
  route(streamTakeoverStart, async ({ request, params, body, cause }) => {
    await guard.check(request, 'stream.takeover.moderator')
    return takeovers.start(params.id, body, cause)
  }),
  route(streamTakeoverStop, ({ params, query, cause }) =>
    takeovers.stop(params.id, query.undo ?? false, cause),
  ),
]
