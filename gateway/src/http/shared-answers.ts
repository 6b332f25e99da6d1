import { createHash } from 'node:crypto'
import { type CachedText, cachedText, sendCachedText } from '@looptide/service-kit/cached-text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Agent, request as ask } from 'undici'
import type { ServiceName } from '../config.ts'
import { Memo } from './memo.ts'
import { fieldsOf, JSON_TYPE, type ReadyAnswer, writeReady } from './ready-answer.ts'
import { isPlainTarget } from './request-target.ts'

export interface SharedAnswersOptions {
  upstreams: Record<ServiceName, string>
  /** Wall clock, epoch ms. */
  now: () => number
}

type SentHeaders = Record<string, string | string[] | undefined>

/** What a service has said, and once it has been sent to somebody, all that goes before it. */
interface SharedAnswer {
  text: CachedText
  cacheControl: string
  ready: ReadyAnswer | undefined
}

/**
 * Long enough for a crowd that arrives together, short enough for what no event tells of: counted views (catalogue), the
 * clock in a guide, a new name of somebody who has chatted.
 */
const KEEP_MS = 1000
const KEEP_CATALOGUE_MS = 5000
/** A change may be told before every process of its service has heard of it: for a while its answers are soon asked for again. */
const SETTLING_MS = 3000
const KEEP_SETTLING_MS = 200
/** An answer is some ten kilobytes: so many of each service, at the most. */
const MAX_KEPT = 1000
/** Longer addresses (path and query) are not kept: they are keys, and a client makes them up. */
const MAX_ADDRESS = 512
const TIMEOUT_MS = 10_000

/**
 * JSON answers that are the same for whoever asks, kept in memory: a thousand viewers who come at once are one question to
 * the service, and who has the answer already is told so by 304. Everything of a service is forgotten when it tells
 * that something has changed (an event), and after each change that was asked for through this gateway, so that
 * nobody misses what they have just done.
 */
export class SharedAnswers {
  readonly #options: SharedAnswersOptions
  readonly #kept = new Map<ServiceName, Memo<SharedAnswer>>()
  /** When each service's answers were last forgotten, epoch ms. */
  readonly #forgottenAtMs = new Map<ServiceName, number>()
  readonly #agent = new Agent({ connections: 16, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })

  constructor(options: SharedAnswersOptions) {
    this.#options = options
  }

  /** Something of the service has changed. */
  forget(service: ServiceName): void {
    this.#forgottenAtMs.set(service, this.#options.now())
    this.#of(service).clear()
  }

  /** Hearing about changes may have failed. */
  forgetAll(): void {
    for (const service of this.#kept.keys()) this.forget(service)
  }

  /** Whether an address (path and query) may be one whose answer is kept. */
  keeps(url: string): boolean {
    return url.length <= MAX_ADDRESS && isPlainTarget(url)
  }

  /** Whether this answer costs the service nothing. */
  has(service: ServiceName, url: string): boolean {
    return this.#of(service).has(url)
  }

  /**
   * Answers at once what has been answered before, if `isAllowed`. False, and nothing is sent, when the request must go
   * its way.
   */
  answerAtOnce(request: FastifyRequest, reply: FastifyReply, isAllowed: () => boolean): boolean {
    if (request.method !== 'GET') return false
    for (const memo of this.#kept.values()) {
      const ready = memo.atHand(request.url)?.ready
      if (ready === undefined) continue
      if (!isAllowed()) return false
      writeReady(request, reply, ready)
      return true
    }
    return false
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
    const { text, cacheControl } = answer
    answer.ready ??= { text, cacheControl, fields: fieldsOf(reply) }
    await sendCachedText(request, reply.header('cache-control', cacheControl), text, JSON_TYPE)
    return true
  }

  close(): Promise<void> {
    return this.#agent.close()
  }

  async #ask(service: ServiceName, url: string, sent: SentHeaders): Promise<SharedAnswer | undefined> {
    try {
      const response = await ask(new URL(url, this.#options.upstreams[service]), {
        dispatcher: this.#agent,
        headers: sent,
      })
      const body = await response.body.text()
      if (response.statusCode !== 200) return undefined
      const { etag, 'cache-control': cacheControl } = response.headers
      return {
        // A service's own mark stands for more than one text, where a clock in it is all that differs.
        text: cachedText(body, typeof etag === 'string' ? weak(etag) : digestMark(body)),
        cacheControl: typeof cacheControl === 'string' ? cacheControl : 'no-cache',
        ready: undefined,
      }
    } catch {
      return undefined
    }
  }

  #of(service: ServiceName): Memo<SharedAnswer> {
    const known = this.#kept.get(service)
    if (known) return known
    const { now } = this.#options
    const memo = new Memo<SharedAnswer>({ keepMs: () => this.#keepMs(service), max: MAX_KEPT, now })
    this.#kept.set(service, memo)
    return memo
  }

  #keepMs(service: ServiceName): number {
    const sinceMs = this.#options.now() - (this.#forgottenAtMs.get(service) ?? Number.NEGATIVE_INFINITY)
    if (sinceMs < SETTLING_MS) return KEEP_SETTLING_MS
    return service === 'catalogue' ? KEEP_CATALOGUE_MS : KEEP_MS
  }
}

/** What is said of a text holds for its compressed form too. */
const weak = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)

const digestMark = (body: string): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
