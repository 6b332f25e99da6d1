import { chatHeldDecide, chatHeldList } from '@looptide/contracts/operations/chat'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { HeldService } from './held-service.ts'

/** The routes of messages that wait for a moderator. */
export const heldRoutes = ({ held }: { held: HeldService }): Route[] => [
  route(chatHeldList, ({ user, query }) => held.list(user, query)),
  route(chatHeldDecide, ({ user, params, body, cause }) => held.decide(user, params.id, body, cause)),
]
