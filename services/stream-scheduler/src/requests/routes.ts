import { streamAnnouncedGet, streamRequestCheck } from '@looptide/contracts/operations/stream/requests'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { announcedOf } from '../guide/announced.ts'
import { checkRequest, type RequestCheckDeps } from './request-check.ts'

/** The routes that audience asks: whether a request is possible, and what reminders can be about. */
export const requestRoutes = (deps: RequestCheckDeps): Route[] => [
  route(streamRequestCheck, ({ params, query }) => checkRequest(deps, params.id, query.videoId)),
  route(streamAnnouncedGet, ({ params }) => announcedOf(deps.timelines, params.id, deps.now())),
]
