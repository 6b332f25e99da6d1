import { streamRequestCheck } from '@looptide/contracts/operations/stream/channels'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { checkRequest, type RequestCheckDeps } from './request-check.ts'

/** The route by which audience asks whether a request is possible. */
export const requestRoutes = (deps: RequestCheckDeps): Route[] => [
  route(streamRequestCheck, ({ params, query }) => checkRequest(deps, params.id, query.videoId)),
]
