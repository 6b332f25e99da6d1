import { streamLogEdit, streamLogGet, streamLogUndo } from '@looptide/contracts/operations/stream/log'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { LogService } from './log-service.ts'

/** Routes of the log of a channel. */
export const logRoutes = ({ logs }: { logs: LogService }): Route[] => [
  route(streamLogGet, async ({ params }) => {
    const { log, etag } = await logs.read(params.id)
    return answer(200, log, { etag })
  }),
  route(streamLogEdit, ({ params, body, cause, expected }) => logs.edit(params.id, body, cause, expected)),
  route(streamLogUndo, ({ params: { id, editId }, cause }) => logs.undo(id, editId, cause)),
]
