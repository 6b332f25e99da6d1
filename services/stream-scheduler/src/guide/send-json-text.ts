import { isNotModified } from '@looptide/service-kit/http/conditional'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends JSON text, or 304 if the client has the current version. */
export function sendJsonText(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { body: string; etag: string },
): FastifyReply {
  if (isNotModified(request, reply, etag)) return reply.send()
  return reply.type('application/json; charset=utf-8').send(body)
}
