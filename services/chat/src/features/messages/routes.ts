import {
  chatMessageCount,
  chatMessageList,
  chatMessagePost,
  chatMessageRemove,
} from '@looptide/contracts/operations/chat'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { MessageService } from './message-service.ts'

/** The routes of messages. */
export const messageRoutes = ({ messages }: { messages: MessageService }): Route[] => [
  route(chatMessagePost, async ({ body, params, user, cause }) => {
    const posted = await messages.post(user, params.id, body, cause)
    if ('held' in posted) return answer(202, posted.held)
    return answer(posted.isNew ? 201 : 200, posted.message)
  }),
  route(chatMessageList, ({ params, query }) => messages.list(params.id, query)),
  route(chatMessageCount, async ({ body }) => ({ counts: await messages.count(body) })),
  route(chatMessageRemove, ({ params, user, cause }) =>
    messages.remove(user, params.id, params.messageId, cause),
  ),
]
