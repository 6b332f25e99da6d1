import {
  catalogueFollowedListCheck,
  catalogueFollowedListCreate,
  catalogueFollowedListDelete,
  catalogueFollowedListList,
  catalogueFollowedListUpdate,
} from '@looptide/contracts/operations/catalogue/library'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { ListService } from './list-service.ts'

/** Routes of followed YouTube playlists and channels. */
export const followedListRoutes = ({ lists }: { lists: ListService }): Route[] => [
  route(catalogueFollowedListList, async () => ({ items: await lists.list() })),
  route(catalogueFollowedListCreate, ({ body, cause }) => lists.follow(body, cause)),
  route(catalogueFollowedListUpdate, ({ params, body, cause }) => lists.update(params.id, body, cause)),
  route(catalogueFollowedListDelete, ({ params, cause }) => lists.delete(params.id, cause)),
  route(catalogueFollowedListCheck, ({ params, cause }) => lists.check(params.id, cause)),
]
