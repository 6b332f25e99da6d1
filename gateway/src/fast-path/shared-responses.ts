import type { IncomingMessage } from 'node:http'
import type { SharedRule } from '@looptide/contracts/operation'
import { may, type Permission } from '@looptide/contracts/permissions'
import type { ServiceName } from '@looptide/contracts/service-names'
import { type CachedText, cachedText, sendCachedText } from '@looptide/service-kit/http/cached-text'
import type { AccessList } from '@looptide/service-kit/identity/access-list'
import { internalTls } from '@looptide/service-kit/tls/internal-client'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Agent, request as sendRequest } from 'undici'
import type { Upstreams } from '../config.ts'
import { Memo } from '../http/memo.ts'
import { isPlainTarget } from '../http/request-target.ts'
import { JSON_TYPE, type PreparedResponse, prepareResponse } from './prepared-response.ts'

interface SharedResponsesOptions {
  upstreams: Upstreams
  /** Roles of users. `loaded` is false until they are known. */
  access: Pick<AccessList, 'loaded' | 'roleOf'>
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Responses that are invalidated together. `air-log` also changes when a programme starts; the scheduler's other lists do not. */
type ResponseGroup = ServiceName | NonNullable<SharedRule['group']>

/** GET requests whose responses are the same for every client and are cached. The default group is the service. */
export interface SharedRoute extends Omit<SharedRule, 'unless' | 'group'> {
  /** Matches path and query. */
  pattern: RegExp
  group?: ResponseGroup
}

type RequestHeaders = Record<string, string | string[] | undefined>

interface SharedResponse {
  text: CachedText
  cacheControl: string
  /** Set once the response was sent to a client. */
  prepared: PreparedResponse | undefined
  differsFor: Permission | undefined
}

/**
 * Time to live of a response in ms. It bounds the delay of changes without an event: counted views (catalogue), the time
 * in a guide, a chat author's new name.
 */
const TTL_MS = 1000
const CATALOGUE_TTL_MS = 5000
/** Time after an invalidation in which some replicas of the service may not have received the change yet, in ms. */
const SETTLING_MS = 3000
/** Time to live of responses loaded during that time, in ms. */
const SETTLING_TTL_MS = 200
/** Limits of each group: entries, and their characters in total. A page of 100 videos has about 60,000. */
const MAX_ENTRIES = 1000
const MAX_CHARACTERS = 32_000_000
/** Longest path and query that is cached, because they are keys that clients choose. */
const MAX_URL_LENGTH = 512
const TIMEOUT_MS = 10_000

/**
 * Caches JSON responses that are the same for every client. Concurrent requests share one request to the service, and a
 * client that has the response gets 304. The responses of a service are invalidated by its events, and by each change
 * requested through this gateway, so that a client sees its own change.
 */
export class SharedResponses {
  readonly #options: SharedResponsesOptions
  readonly #memos = new Map<ResponseGroup, Memo<SharedResponse>>()
  /** When each group was last invalidated, epoch ms. */
  readonly #invalidatedAtMs = new Map<ResponseGroup, number>()
  readonly #agent = new Agent({
    connections: 16,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connect: internalTls()?.connect,
  })

  constructor(options: SharedResponsesOptions) {
    this.#options = options
  }

  /** Drops the responses of a service, or of one group. */
  invalidate(group: ResponseGroup): void {
    this.#invalidatedAtMs.set(group, this.#options.now())
    this.#memoOf(group).clear()
    if (group === 'stream-scheduler') this.invalidate('air-log')
  }

  /** Drops all responses. For use after events may have been missed. */
  invalidateAll(): void {
    for (const group of this.#memos.keys()) this.invalidate(group)
  }

  /** Whether the response to this request may come from the cache. */
  isShared(request: FastifyRequest, { pattern, differsFor }: SharedRoute): boolean {
    const { method, url } = request
    if (method !== 'GET' || url.length > MAX_URL_LENGTH || !pattern.test(url) || !isPlainTarget(url))
      return false
    return differsFor === undefined || this.#getsPublicResponse(request, differsFor)
  }

  /** Whether the response is cached or being loaded, so that a request costs the service nothing. */
  has(group: ResponseGroup, url: string): boolean {
    return this.#memoOf(group).has(url)
  }

  /** Whether the sender is a visitor, or the token, valid or not, names a user without the permission. */
  #getsPublicResponse(request: Pick<IncomingMessage, 'headers'>, permission: Permission): boolean {
    const { access } = this.#options
    const userId = claimedUserId(request)
    return (
      userId === null || (userId !== undefined && access.loaded && !may(access.roleOf(userId), permission))
    )
  }

  /** The prepared response to this GET, unless the sender gets a different one. */
  find(request: Pick<IncomingMessage, 'url' | 'headers'>): PreparedResponse | undefined {
    for (const memo of this.#memos.values()) {
      const response = memo.peek(request.url ?? '')
      if (response?.prepared === undefined) continue
      const { differsFor, prepared } = response
      return differsFor === undefined || this.#getsPublicResponse(request, differsFor) ? prepared : undefined
    }
    return undefined
  }

  /**
   * The response to a GET from the cache, which loads a missing one from the service. Undefined when the service does not
   * respond 200: the caller then proxies the request, so that the client gets the service's error.
   */
  async load(
    service: ServiceName,
    { group = service, differsFor }: SharedRoute,
    url: string,
    headers: RequestHeaders,
  ): Promise<SharedResponse | undefined> {
    const memo = this.#memoOf(group)
    const response = await memo.get(url, async () => {
      const loaded = await this.#load(service, url, headers)
      return loaded && { ...loaded, differsFor }
    })
    if (response === undefined) memo.delete(url)
    return response
  }

  /** Sends a loaded response. */
  send(request: FastifyRequest, reply: FastifyReply, response: SharedResponse): Promise<FastifyReply> {
    const { text, cacheControl } = response
    response.prepared ??= prepareResponse(reply, text, cacheControl)
    return sendCachedText(request, reply.header('cache-control', cacheControl), text, JSON_TYPE)
  }

  close(): Promise<void> {
    return this.#agent.close()
  }

  async #load(
    service: ServiceName,
    url: string,
    headers: RequestHeaders,
  ): Promise<Omit<SharedResponse, 'differsFor'> | undefined> {
    try {
      const response = await sendRequest(new URL(url, this.#options.upstreams[service]), {
        dispatcher: this.#agent,
        headers,
      })
      const body = await response.body.text()
      if (response.statusCode !== 200) return undefined
      const { etag, 'cache-control': cacheControl } = response.headers
      return {
        // A service's own ETag may cover texts that differ only in the current time.
        text: cachedText(body, typeof etag === 'string' ? toWeak(etag) : undefined),
        cacheControl: typeof cacheControl === 'string' ? cacheControl : 'no-cache',
        prepared: undefined,
      }
    } catch {
      return undefined
    }
  }

  #memoOf(group: ResponseGroup): Memo<SharedResponse> {
    const known = this.#memos.get(group)
    if (known) return known
    const { now } = this.#options
    const memo = new Memo<SharedResponse>({
      ttlMs: () => this.#ttlMs(group),
      maxEntries: MAX_ENTRIES,
      maxSize: MAX_CHARACTERS,
      sizeOf: ({ text }) => text.body.length,
      now,
    })
    this.#memos.set(group, memo)
    return memo
  }

  #ttlMs(group: ResponseGroup): number {
    const sinceMs = this.#options.now() - (this.#invalidatedAtMs.get(group) ?? Number.NEGATIVE_INFINITY)
    if (sinceMs < SETTLING_MS) return SETTLING_TTL_MS
    return group === 'catalogue' ? CATALOGUE_TTL_MS : TTL_MS
  }
}

/** A weak ETag, which is valid for the compressed representation too. */
const toWeak = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)

/** Longest token that is read, in characters. The station's access tokens have about a thousand. */
const MAX_TOKEN_LENGTH = 8192

/**
 * The user id in a request's bearer token, without verifying the token. Null without a token; undefined for an unreadable
 * one. Use it only to choose between the public response and asking a service, which verifies the token.
 */
function claimedUserId({ headers }: Pick<IncomingMessage, 'headers'>): string | null | undefined {
  const { authorization } = headers
  if (authorization === undefined) return null
  if (authorization.length > MAX_TOKEN_LENGTH) return undefined
  const payload = /^bearer [\w-]+\.([\w-]+)\.[\w-]+$/i.exec(authorization)?.[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const isObject = typeof claims === 'object' && claims !== null
    return isObject && 'sub' in claims && typeof claims.sub === 'string' ? claims.sub : undefined
  } catch {
    return undefined
  }
}
