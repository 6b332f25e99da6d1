import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends JSON that is text already, or 304 when the client has it (RFC 9110 §13.1.2, weak comparison). */
export function sendJsonText(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { body: string; etag: string },
): FastifyReply {
  reply.header('etag', etag)
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim())
  if (known?.includes(etag) === true) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}
