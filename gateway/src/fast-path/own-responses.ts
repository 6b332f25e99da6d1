import type { IncomingMessage } from 'node:http'
import { type CachedText, sendCachedText } from '@looptide/service-kit/http/cached-text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LocalLimit } from '../http/local-limits.ts'
import { JSON_TYPE, type PreparedResponse, prepareResponse } from './prepared-response.ts'

interface OwnResponse {
  /** The URL of the route, without parameters that clients choose. Other notations of it are not kept. */
  path: string
  text: CachedText
  cacheControl: string
  limit?: LocalLimit
  /** Whether the response may be sent again. */
  isCurrent: () => boolean
}

/** Responses of the gateway's own routes that are the same for every client, kept while they are current. */
export class OwnResponses {
  readonly #kept = new Map<string, { prepared: PreparedResponse; isCurrent: () => boolean }>()

  /** The response to this GET, if it is current. */
  find({ url = '' }: Pick<IncomingMessage, 'url'>): PreparedResponse | undefined {
    const kept = this.#kept.get(url)
    if (kept === undefined) return undefined
    if (kept.isCurrent()) return kept.prepared
    this.#kept.delete(url)
    return undefined
  }

  /** Sends a response and keeps it for the next clients. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    { path, text, cacheControl, limit, isCurrent }: OwnResponse,
  ): Promise<FastifyReply> {
    if (request.url === path)
      this.#kept.set(path, { prepared: prepareResponse(reply, text, cacheControl, limit), isCurrent })
    return sendCachedText(request, reply.header('cache-control', cacheControl), text, JSON_TYPE)
  }
}

/** A condition that is true for some time from now, in ms. */
export function currentFor(ms: number): () => boolean {
  const untilMs = performance.now() + ms
  return () => performance.now() < untilMs
}
