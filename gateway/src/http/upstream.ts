import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { internalTls } from '@looptide/service-kit/tls/internal-client'
import { Pool, errors as undiciErrors } from 'undici'

export type HeaderMap = Record<string, string | string[] | undefined>

interface UpstreamRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query. */
  path: string
  headers: HeaderMap
  /** The complete body; null for a request without one. */
  body: Buffer | null
}

export interface UpstreamAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * The largest answer of a service, in bytes. The largest known one is the XMLTV file of a hundred channels whose videos have
 * long descriptions: 14 MB, compressed.
 */
const MAX_ANSWER_BYTES = 16_777_216
/** Delay before a read whose connection was lost is repeated once, in ms. Another replica may serve the second attempt. */
const RETRY_MS = 20
const CONNECTION_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']

/** Headers of one connection, which a proxy must not forward (RFC 9110 §7.6.1). `Expect` is answered by this server. */
const HOP_BY_HOP = /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/

/** The headers without those of the connection, and without those that `Connection` names (RFC 9110 §7.6.1). */
export function endToEndHeaders(headers: IncomingHttpHeaders): HeaderMap {
  const named = headers.connection?.toLowerCase().split(',') ?? []
  const dropped = new Set(named.map((name) => name.trim()))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name) && !dropped.has(name)),
  )
}

/**
 * The connections to one service. A request takes one only with its complete body, and frees it as soon as the service has
 * answered: no client determines for how long.
 */
export class Upstream {
  readonly #pool: Pool

  constructor(origin: string) {
    this.#pool = new Pool(origin, {
      connections: 64,
      pipelining: 1,
      headersTimeout: 10_000,
      bodyTimeout: 30_000,
      connectTimeout: 2000,
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: internalTls()?.connect,
    })
  }

  /** Sends a request and reads the whole answer. Throws the errors of `undici`. */
  async send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    try {
      return await this.#sendOnce(request)
    } catch (error) {
      if (!isLostConnection(error) || !['GET', 'HEAD'].includes(request.method)) throw error
      await pause(RETRY_MS)
      return this.#sendOnce(request)
    }
  }

  async #sendOnce(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const { statusCode, headers, body } = await this.#pool.request(request)
    return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) }
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}

const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CONNECTION_ERRORS.includes(String(error.code))

/** Whether a request was never sent because it is not valid HTTP. That is a fault of its client. */
export const isInvalidRequest = (error: unknown): boolean =>
  error instanceof undiciErrors.InvalidArgumentError || error instanceof undiciErrors.NotSupportedError
