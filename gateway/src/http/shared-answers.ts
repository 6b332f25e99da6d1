import { createHash } from 'node:crypto'
import { type CachedText, cachedText, sendCachedText } from '@looptide/service-kit/cached-text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Agent, request as ask } from 'undici'
import type { ServiceName } from '../config.ts'
import { Memo } from './memo.ts'

export interface SharedAnswersOptions {
  upstreams: Record<ServiceName, string>
  /** Wall clock, epoch ms. */
  now: () => number
}

type SentHeaders = Record<string, string | string[] | undefined>

/** Long enough for a crowd that arrives together, short enough for what no event tells of, such as counted views. */
const KEEP_MS = 5000
/** An answer is some ten kilobytes: so many of each service, at the most. */
const MAX_KEPT = 1000
const JSON_TYPE = 'application/json; charset=utf-8'
const TIMEOUT_MS = 10_000

/**
 * JSON answers that are the same for whoever asks, kept in memory: a thousand viewers who come at once are one question to
 * the service, and who has the answer already is told so by 304. Everything of a service is forgotten when it tells
 * that something has changed (an event), and after each change that was asked for through this gateway, so that
 * nobody misses what they have just done.
 */
export class SharedAnswers {
  readonly #options: SharedAnswersOptions
  readonly #kept = new Map<ServiceName, Memo<CachedText>>()
  readonly #agent = new Agent({ connections: 16, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })

  constructor(options: SharedAnswersOptions) {
    this.#options = options
  }

  /** Something of the service has changed. */
  forget(service: ServiceName): void {
    this.#of(service).clear()
  }

  /** Hearing about changes may have failed. */
  forgetAll(): void {
    for (const memo of this.#kept.values()) memo.clear()
  }

  /** Whether this answer costs the service nothing. */
  has(service: ServiceName, url: string): boolean {
    return this.#of(service).has(url)
  }

  /**
   * Answers a GET for `request.url` (path and query). False when the service would not give a plain 200: then nothing
   * has been sent, and the request is to be passed on, so that the service can say for itself why.
   */
  async send(
    service: ServiceName,
    request: FastifyRequest,
    reply: FastifyReply,
    headers: SentHeaders,
  ): Promise<boolean> {
    const memo = this.#of(service)
    const { url } = request
    const answer = await memo.of(url, () => this.#ask(service, url, headers))
    if (answer === undefined) {
      memo.forget(url)
      return false
    }
    await sendCachedText(request, reply.header('cache-control', 'no-cache'), answer, JSON_TYPE)
    return true
  }

  close(): Promise<void> {
    return this.#agent.close()
  }

  async #ask(service: ServiceName, url: string, headers: SentHeaders): Promise<CachedText | undefined> {
    try {
      const response = await ask(new URL(url, this.#options.upstreams[service]), {
        dispatcher: this.#agent,
        headers,
      })
      const body = await response.body.text()
      if (response.statusCode !== 200) return undefined
      return cachedText(body, `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`)
    } catch {
      return undefined
    }
  }

  #of(service: ServiceName): Memo<CachedText> {
    const known = this.#kept.get(service)
    if (known) return known
    const memo = new Memo<CachedText>({ keepMs: KEEP_MS, max: MAX_KEPT, now: this.#options.now })
    this.#kept.set(service, memo)
    return memo
  }
}
