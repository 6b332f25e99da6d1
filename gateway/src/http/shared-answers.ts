import { createHash } from 'node:crypto'
import type { AccessList } from '@looptide/service-kit/access-list'
import { type CachedText, cachedText, sendCachedText } from '@looptide/service-kit/cached-text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Agent, request as ask } from 'undici'
import type { ServiceName } from '../config.ts'
import { claimedUserId } from './claimed-user.ts'
import { Memo } from './memo.ts'
import { fieldsOf, JSON_TYPE, type ReadyAnswer, writeReady } from './ready-answer.ts'
import { isPlainTarget } from './request-target.ts'

export interface SharedAnswersOptions {
  upstreams: Record<ServiceName, string>
  /** What is known of roles; `loaded` is false until it is known. */
  access: Pick<AccessList, 'loaded' | 'roleOf'>
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Answers that are forgotten together. `air-log` also changes when a programme starts, other lists of the scheduler do not. */
export type AnswerGroup = ServiceName | 'air-log'

/** Addresses whose answers are kept. */
export interface SharedAddresses {
  /** Matches path and query. */
  addresses: RegExp
  /** By default that of the service. */
  group?: AnswerGroup
  /** Admins get another answer than everybody else: they are not answered from memory. */
  isPublicPart?: boolean
}

type SentHeaders = Record<string, string | string[] | undefined>

/** What a service has said, and once it has been sent to somebody, all that goes before it. */
interface SharedAnswer {
  text: CachedText
  cacheControl: string
  ready: ReadyAnswer | undefined
  isPublicPart: boolean
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
/** Answers kept in each group, and their characters together: a page of 100 videos has about 60,000. */
const MAX_KEPT = 1000
const MAX_KEPT_CHARACTERS = 32_000_000
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
  readonly #kept = new Map<AnswerGroup, Memo<SharedAnswer>>()
  /** When each group was last forgotten, epoch ms. */
  readonly #forgottenAtMs = new Map<AnswerGroup, number>()
  readonly #agent = new Agent({ connections: 16, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })

  constructor(options: SharedAnswersOptions) {
    this.#options = options
  }

  /** Forgets the answers of a service, or of one group. */
  forget(group: AnswerGroup): void {
    this.#forgottenAtMs.set(group, this.#options.now())
    this.#of(group).clear()
    if (group === 'stream-scheduler') this.forget('air-log')
  }

  /** Hearing about changes may have failed. */
  forgetAll(): void {
    for (const group of this.#kept.keys()) this.forget(group)
  }

  /** Whether the answer to this request may be one that is kept. */
  mayKeep(request: FastifyRequest, { addresses, isPublicPart = false }: SharedAddresses): boolean {
    const { method, url } = request
    if (method !== 'GET' || url.length > MAX_ADDRESS || !addresses.test(url) || !isPlainTarget(url))
      return false
    return !isPublicPart || this.#isForPublic(request)
  }

  /** Whether this answer costs the service nothing. */
  has(group: AnswerGroup, url: string): boolean {
    return this.#of(group).has(url)
  }

  /** Whether the sender gets the public answer: a visitor, or somebody whose token, good or not, names no admin. */
  #isForPublic(request: FastifyRequest): boolean {
    const { access } = this.#options
    const userId = claimedUserId(request)
    return userId === null || (userId !== undefined && access.loaded && access.roleOf(userId) !== 'admin')
  }

  /**
   * Answers at once what has been answered before, if `isAllowed`. False, and nothing is sent, when the request must go
   * its way.
   */
  answerAtOnce(request: FastifyRequest, reply: FastifyReply, isAllowed: () => boolean): boolean {
    if (request.method !== 'GET') return false
    for (const memo of this.#kept.values()) {
      const answer = memo.atHand(request.url)
      if (answer?.ready === undefined) continue
      if (answer.isPublicPart && !this.#isForPublic(request)) return false
      if (!isAllowed()) return false
      writeReady(request, reply, answer.ready)
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
    { group = service, isPublicPart = false }: SharedAddresses,
    request: FastifyRequest,
    reply: FastifyReply,
    headers: SentHeaders,
  ): Promise<boolean> {
    const memo = this.#of(group)
    const { url } = request
    const answer = await memo.of(url, async () => {
      const found = await this.#ask(service, url, headers)
      return found && { ...found, isPublicPart }
    })
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

  async #ask(
    service: ServiceName,
    url: string,
    sent: SentHeaders,
  ): Promise<Omit<SharedAnswer, 'isPublicPart'> | undefined> {
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

  #of(group: AnswerGroup): Memo<SharedAnswer> {
    const known = this.#kept.get(group)
    if (known) return known
    const { now } = this.#options
    const memo = new Memo<SharedAnswer>({
      keepMs: () => this.#keepMs(group),
      max: MAX_KEPT,
      maxSize: MAX_KEPT_CHARACTERS,
      sizeOf: ({ text }) => text.body.length,
      now,
    })
    this.#kept.set(group, memo)
    return memo
  }

  #keepMs(group: AnswerGroup): number {
    const sinceMs = this.#options.now() - (this.#forgottenAtMs.get(group) ?? Number.NEGATIVE_INFINITY)
    if (sinceMs < SETTLING_MS) return KEEP_SETTLING_MS
    return group === 'catalogue' ? KEEP_CATALOGUE_MS : KEEP_MS
  }
}

/** What is said of a text holds for its compressed form too. */
const weak = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)

const digestMark = (body: string): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
