import { streamSubstituteList } from '@looptide/contracts/operations/stream/guide'
import { sendCachedText } from '@looptide/service-kit/http/cached-text'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Substitutes } from './substitutes.ts'

/** Routes of substitutes. */
export const substituteRoutes = ({ substitutes }: { substitutes: Substitutes }): Route[] => [
  route(streamSubstituteList, async ({ params, reply, request }) => {
    const text = await substitutes.get(params.id, params.programmeId)
    reply.header('cache-control', 'public, no-cache')
    return sendCachedText(request, reply, text, 'application/json; charset=utf-8')
  }),
]
