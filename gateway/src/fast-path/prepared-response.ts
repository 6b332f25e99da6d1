import type { IncomingMessage, ServerResponse } from 'node:http'
import { type CachedText, willCompress } from '@looptide/service-kit/http/cached-text'
import { matchesIfNoneMatch } from '@looptide/service-kit/http/conditional'
import type { FastifyReply } from 'fastify'
import type { LocalLimit } from '../http/local-limits.ts'

/** A response in memory, ready to be written. */
export interface PreparedResponse {
  /** Writes it in one go, with the same result as the route. `id`: of the request. */
  write(request: IncomingMessage, response: ServerResponse, id: string): void
  /** Name in metrics and logs. */
  operation: string
  /** The pattern of the route, for traces. */
  route: string
  /** Limit that counts the request in addition to `any`. */
  limit: LocalLimit | undefined
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers that belong to one request and must not be copied. */
const PER_REQUEST = new Set(['x-request-id', 'connection', 'retry-after'])

/** The headers that a reply has so far, in the form of `writeHead` (name, value, name, value), for later ones like it. */
export const preparedHead = (reply: FastifyReply): string[] =>
  Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined || PER_REQUEST.has(name) ? [] : [name, String(value)],
  )

/** Prepares a JSON response while the first one like it is sent through Fastify. Call it before the reply gets its own headers. */
export function prepareResponse(
  reply: FastifyReply,
  text: CachedText,
  cacheControl: string,
  limit?: LocalLimit,
): PreparedResponse {
  const { config, url = '*' } = reply.request.routeOptions
  const head = [
    ...preparedHead(reply),
    ...['etag', text.etag, 'cache-control', cacheControl, 'vary', 'accept-encoding'],
  ]
  const plainHead = [...head, ...bodyFields(text.bytes())]
  return {
    write: (request, response, id) => {
      if (matchesIfNoneMatch(request, text.etag)) response.writeHead(304, [...head, 'x-request-id', id]).end()
      else if (!willCompress(request, text.body))
        response.writeHead(200, [...plainHead, 'x-request-id', id]).end(text.bytes())
      else
        void text.gzipped().then((bytes) => {
          const fields = ['content-encoding', 'gzip', ...bodyFields(bytes), 'x-request-id', id]
          response.writeHead(200, [...head, ...fields]).end(bytes)
        })
    },
    operation: config.operation ?? 'none',
    route: url,
    limit,
  }
}

const bodyFields = ({ length }: Buffer): string[] => [
  ...['content-type', JSON_TYPE, 'content-length', String(length)],
]
