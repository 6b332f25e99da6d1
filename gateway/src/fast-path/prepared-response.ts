import type { ServerResponse } from 'node:http'
import { type CachedText, willCompress } from '@looptide/service-kit/http/cached-text'
import { matchesIfNoneMatch } from '@looptide/service-kit/http/conditional'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Header fields in the form of `writeHead`: name, value, name, value. */
type HeaderFields = readonly string[]

/** A cached response with all its headers, ready to be written. */
export interface PreparedResponse {
  text: CachedText
  cacheControl: string
  /** The headers that hooks set on every response of this gateway, copied from the first one that was sent. */
  fields: HeaderFields
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers that belong to one request and must not be copied. */
const PER_REQUEST = new Set(['x-request-id', 'connection', 'retry-after'])

/** The headers that hooks have set so far, for responses that bypass these hooks. */
export function headerFieldsOf(reply: FastifyReply): HeaderFields {
  return Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined || PER_REQUEST.has(name) ? [] : [name, String(value)],
  )
}

/**
 * Responds to a GET with a prepared response in one write, with the same result as `sendCachedText`. Bypasses Fastify's
 * reply and all later hooks, except the one that counts and logs responses.
 */
export function writePreparedResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, cacheControl, fields }: PreparedResponse,
): void {
  reply.hijack()
  const response = reply.raw
  const head = [
    ...fields,
    ...['x-request-id', request.id, 'etag', text.etag],
    ...['cache-control', cacheControl, 'vary', 'accept-encoding'],
  ]
  if (matchesIfNoneMatch(request, text.etag)) response.writeHead(304, head).end()
  else if (willCompress(request, text.body))
    void text.gzipped().then((bytes) => writeBody(response, [...head, 'content-encoding', 'gzip'], bytes))
  else writeBody(response, head, text.bytes())
}

function writeBody(response: ServerResponse, head: string[], body: Buffer): void {
  head.push('content-type', JSON_TYPE, 'content-length', String(body.length))
  response.writeHead(200, head).end(body)
}
