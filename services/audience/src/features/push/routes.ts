import {
  audiencePushSubscriptionAdd,
  audiencePushSubscriptionList,
  audiencePushSubscriptionRemove,
} from '@looptide/contracts/operations/audience/reminders'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { PushService } from './push-service.ts'

/** The routes of the browsers that receive pushes. */
export const pushRoutes = ({ push }: { push: PushService }): Route[] => [
  route(audiencePushSubscriptionAdd, async ({ user, body }) => answer(201, await push.add(user, body))),
  route(audiencePushSubscriptionList, async ({ user }) => ({ items: await push.list(user.id) })),
  route(audiencePushSubscriptionRemove, ({ user, params }) => push.remove(user.id, params.id)),
]
