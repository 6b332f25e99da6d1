import { MAX_WAITING_REQUESTS, type RequestedVideo } from '@looptide/contracts/http/requests'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { NetworkKeys } from '../networks/network-keys.ts'
import { saveNetwork } from '../networks/network-repository.ts'
import { markQueuesChanged } from '../queue/queue-repository.ts'
import type { CheckRequest } from '../rules/request-check.ts'
import { ensureChannel, excludedAmong, isOpen } from '../settings/settings-repository.ts'
import type { AccountLoader } from '../users/account-loader.ts'
import { requireFewAttempts } from '../users/attempts.ts'
import { isRestricted, lockProfile } from '../users/user-repository.ts'
import { countWaiting, findOwnWaiting } from './own-request-repository.ts'
import { EXCLUDED } from './request-reader.ts'
import { insertRequest } from './request-repository.ts'

const HOUR_MS = 3_600_000
/** Attempts of an account within a minute, before `RATE_LIMIT_FACTOR`: each asks the scheduler, also one that a rule forbids. */
const ATTEMPTS_PER_MINUTE = 20

interface RequestDeps {
  db: Kysely<Database>
  accounts: AccountLoader
  check: CheckRequest
  minAccountAgeHours: number
  rateLimitFactor: number
  now: () => number
}

interface NewRequest {
  channelId: string
  userId: string
  videoId: string
  network: NetworkKeys
  cause: Cause
}

/** Accepts requests of viewers. */
export class RequestService {
  readonly #deps: RequestDeps

  constructor(deps: RequestDeps) {
    this.#deps = deps
  }

  /**
   * Adds a request to the queue of a channel. Returns the waiting one if the user has requested the video already. Throws
   * `account_too_new`, `user_restricted`, `requests_closed`, `request_not_possible`, `request_limit`, `not_found`,
   * `rate_limited`, `service_unavailable`.
   */
  async create(request: NewRequest): Promise<{ id: string; isNew: boolean }> {
    const { db } = this.#deps
    const { channelId, userId, videoId } = request
    const existing = await findOwnWaiting(db, channelId, userId, videoId)
    if (existing !== undefined) return { id: existing.id, isNew: false }
    await this.#requireMember(userId)
    const video = await this.#requirePossible(channelId, videoId)
    return db.transaction().execute((trx) => this.#insert(trx, request, video))
  }

  /** Throws unless the account is old enough, not restricted, and has not tried too often. */
  async #requireMember(userId: string): Promise<void> {
    const { db, accounts, minAccountAgeHours, now } = this.#deps
    const allowedAtMs = (await accounts.registeredAt(userId)).getTime() + minAccountAgeHours * HOUR_MS
    if (allowedAtMs > now()) {
      const until = new Date(allowedAtMs).toISOString()
      throw new AppError('account_too_new', 'Your account is too new for requests.', { refusal: { until } })
    }
    if (await isRestricted(db, userId, new Date(now()))) {
      throw new AppError('user_restricted', 'Your account is restricted.')
    }
    await requireFewAttempts(this.#deps, userId, {
      kind: 'request',
      perMinute: ATTEMPTS_PER_MINUTE,
      message: 'You have tried many requests. Please wait a moment.',
    })
  }

  /** The video, if the channel accepts requests and neither its rules nor an exclusion forbid it. */
  async #requirePossible(channelId: string, videoId: string): Promise<RequestedVideo> {
    const { db, check } = this.#deps
    const closed = new AppError('requests_closed', 'This channel accepts no requests at present.')
    if (!(await isOpen(db, channelId))) throw closed
    const { isOpen: hasSlots, video, forbidden } = await check(channelId, videoId)
    if (!hasSlots) throw closed
    if (video === null) throw errors.notFound('This video')
    const requested = { id: videoId, channelId, videoId, artistName: video.artistName }
    if ((await excludedAmong(db, [requested])).size > 0) throw notPossible({ rule: EXCLUDED, until: null })
    if (forbidden !== null) throw notPossible(forbidden)
    return video
  }

  async #insert(trx: Transaction<Database>, request: NewRequest, video: RequestedVideo) {
    const { channelId, userId, videoId, network, cause } = request
    await lockProfile(trx, userId)
    const existing = await findOwnWaiting(trx, channelId, userId, videoId)
    if (existing !== undefined) return { id: existing.id, isNew: false }
    if ((await countWaiting(trx, userId)) >= MAX_WAITING_REQUESTS) {
      const message = `You may have ${MAX_WAITING_REQUESTS} requests waiting.`
      throw new AppError('request_limit', message)
    }
    const nowMs = this.#deps.now()
    const { title, artistName, thumbnailUrl, durationMs } = video
    await ensureChannel(trx, channelId)
    const id = newId(nowMs)
    const requestedAt = new Date(nowMs)
    const texts = { title, artistName, thumbnailUrl, durationMs }
    await insertRequest(trx, { id, channelId, userId, videoId, ...texts, requestedAt })
    await saveNetwork(trx, userId, network)
    await markQueuesChanged(trx, [channelId])
    const data = { channelId, requestId: id, state: 'waiting' as const }
    await appendEvent(trx, 'audience.request.changed.v1', channelId, data, cause)
    return { id, isNew: true }
  }
}

const notPossible = (refusal: { rule: string; until: string | null }): AppError =>
  new AppError('request_not_possible', 'A rule of this channel forbids this video now.', { refusal })
