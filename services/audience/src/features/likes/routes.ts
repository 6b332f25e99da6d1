import {
  audienceLikeAdd,
  audienceLikeList,
  audienceLikeRemove,
} from '@looptide/contracts/operations/audience/likes'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { LikeService } from './like-service.ts'

/** The routes of likes. */
export const likeRoutes = ({ likes }: { likes: LikeService }): Route[] => [
  route(audienceLikeAdd, ({ user, params }) => likes.add(user.id, params.id)),
  route(audienceLikeRemove, ({ user, params }) => likes.remove(user.id, params.id)),
  route(audienceLikeList, ({ user, query }) => likes.list(user.id, query)),
]
