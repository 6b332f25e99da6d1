import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CachedText } from './cached-texts.ts'

/** Below this (characters) compressing is not worth the way. */
const WORTH_COMPRESSING = 1400

/** Sends a text, compressed if the client takes that, or 304 when it has it (RFC 9110 §13.1.2, weak comparison). */
export async function sendCachedText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: CachedText,
  contentType: string,
): Promise<FastifyReply> {
  reply.header('etag', text.etag).header('vary', 'accept-encoding')
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim())
  if (known?.includes(text.etag) === true) return reply.status(304).send()
  reply.type(contentType)
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/.test(
    String(request.headers['accept-encoding'] ?? ''),
  )
  if (!takesGzip || text.body.length < WORTH_COMPRESSING) return reply.send(text.body)
  return reply.header('content-encoding', 'gzip').send(await text.gzipped())
}
