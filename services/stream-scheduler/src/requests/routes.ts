import { streamRequestCheck } from '@looptide/contracts/operations/stream/requests'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { checkRequest, type RequestCheckDeps } from './request-check.ts'

/** The route with which audience checks a request. */
export const requestRoutes = (deps: RequestCheckDeps): Route[] => [
  route(streamRequestCheck, ({ params, query }) => checkRequest(deps, params.id, query.videoId)),
]
