import { audienceWatchingReport } from '@looptide/contracts/operations/audience/requests'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { NetworkOf } from '../networks/network-of.ts'
import type { WatchService } from './watch-service.ts'

/** The route of reports that a user watches. */
export const watchRoutes = ({
  watching,
  networkOf,
}: {
  watching: WatchService
  networkOf: NetworkOf
}): Route[] => [
  route(audienceWatchingReport, ({ user, request }) => watching.report(user.id, networkOf(request))),
]
