import type { ServerResponse } from 'node:http'
import { type CachedText, willCompress } from '@looptide/service-kit/cached-text'
import { matchesIfNoneMatch } from '@looptide/service-kit/conditional'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Header fields as `writeHead` takes them: name, value, name, value. */
type Fields = readonly string[]

/** A shared answer with all that goes before it, to be written without another thought. */
export interface ReadyAnswer {
  text: CachedText
  cacheControl: string
  /** What every answer of this gateway has in its head, as the first that was sent had it. */
  fields: Fields
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A request's own, which no other answer may have. */
const OF_ONE_REQUEST = new Set(['x-request-id', 'connection', 'retry-after'])

/** The header fields that the hooks of every route have set by now, for answers that do not pass through them. */
export function fieldsOf(reply: FastifyReply): Fields {
  return Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined || OF_ONE_REQUEST.has(name) ? [] : [name, String(value)],
  )
}

/**
 * Answers a GET from what is at hand: as the ordinary way does (`sendCachedText`), but in one write of ready-made parts.
 * Hooks that answer or decorate are passed by, the one that counts and logs what was answered is not.
 */
export function writeReady(request: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer): void {
  const { text, cacheControl, fields } = answer
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
  else writeBody(response, head, text.body)
}

function writeBody(response: ServerResponse, head: string[], body: string | Buffer): void {
  head.push('content-type', JSON_TYPE, 'content-length', String(Buffer.byteLength(body)))
  response.writeHead(200, head).end(body)
}
