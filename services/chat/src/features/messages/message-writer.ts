import type { Role } from '@looptide/contracts/common'
import { MAX_MESSAGES_PER_EVENT } from '@looptide/contracts/events/chat'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { may } from '@looptide/contracts/permissions'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvents, type Cause, type NewEvent } from '@looptide/service-kit/events/outbox'
import { AppError, errors, isOutage } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { findSenders, insertMessages, lockChannel, type Sender } from './message-repository.ts'
import { presentMessage } from './present-message.ts'
import { type Bucket, type RateLimit, slowModeWaitMs, takeToken } from './rate-limit.ts'

/** A message to be posted. */
export interface Draft {
  channelId: string
  userId: string
  clientId: string
  message: string
  /** Slow mode does not apply to moderators and admins. */
  role: Role
  cause: Cause
}

/** `isNew` is false if the client id was posted before. */
export interface PostedMessage {
  message: ChatMessage
  isNew: boolean
}

interface QueuedDraft {
  draft: Draft
  resolve: (posted: PostedMessage) => void
  reject: (reason: unknown) => void
}

const MAX_BATCH = 100
const MAX_QUEUED = 5000

/**
 * Stores messages. The messages of a channel are committed one after another, since their sequence numbers have no
 * gaps. Messages that arrive during a transaction are stored together in the next one. A single message is stored at
 * once; under load, up to 100 share the round trips and the flush to disk, and up to {@link MAX_MESSAGES_PER_EVENT} an event.
 */
export class MessageWriter {
  readonly #db: Kysely<Database>
  readonly #limit: RateLimit
  readonly #queues = new Map<string, QueuedDraft[]>()

  constructor(db: Kysely<Database>, limit: RateLimit) {
    this.#db = db
    this.#limit = limit
  }

  /** Resolves after the commit. Rejects with `not_found`, `user_restricted`, `rate_limited` or an outage. */
  post(draft: Draft): Promise<PostedMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<PostedMessage>()
    const queued = { draft, resolve, reject }
    const queue = this.#queues.get(draft.channelId)
    if (queue === undefined) {
      this.#queues.set(draft.channelId, [queued])
      void this.#drain(draft.channelId)
    } else if (queue.length < MAX_QUEUED) queue.push(queued)
    else reject(errors.unavailable('The chat', new Error(`more than ${MAX_QUEUED} messages are queued`)))
    return promise
  }

  async #drain(channelId: string): Promise<void> {
    const queue = this.#queues.get(channelId) ?? []
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH)
      await this.#writeOrSplit(channelId, batch)
    }
    this.#queues.delete(channelId)
  }

  /** Stores a batch. If it fails for another reason than an outage, each message is stored on its own. */
  async #writeOrSplit(channelId: string, batch: readonly QueuedDraft[]): Promise<void> {
    try {
      const drafts = batch.map((queued) => queued.draft)
      const results = await this.#db
        .transaction()
        .execute((trx) => writeBatch(trx, channelId, drafts, this.#limit))
      for (const [i, queued] of batch.entries()) settle(queued, results[i])
    } catch (error) {
      if (batch.length === 1 || isOutage(error) || error instanceof AppError) {
        for (const queued of batch) queued.reject(error)
      } else {
        for (const queued of batch) await this.#writeOrSplit(channelId, [queued])
      }
    }
  }
}

type PostResult = PostedMessage | AppError

function settle({ resolve, reject }: QueuedDraft, result: PostResult | undefined): void {
  if (result === undefined || result instanceof AppError) reject(result)
  else resolve(result)
}

/** Stores and publishes the drafts that are allowed. Returns a result for each draft, in the same order. */
async function writeBatch(
  trx: Transaction<Database>,
  channelId: string,
  drafts: readonly Draft[],
  limit: RateLimit,
): Promise<PostResult[]> {
  const channel = await lockChannel(trx, channelId)
  if (channel === null) throw errors.notFound('This channel')
  const { now, senders } = await findSenders(trx, channelId, drafts)
  const batch = new Batch(channelId, channel.lastSeq, channel.slowModeS, now, limit)
  const results = drafts.map((draft, i) => batch.decide(draft, senders[i]))
  if (batch.accepted.length === 0) return results
  await insertMessages(
    trx,
    channelId,
    now,
    batch.accepted.map(({ draft, message }) => ({
      id: message.id,
      seq: message.seq,
      userId: draft.userId,
      clientId: draft.clientId,
      message: message.message,
    })),
    batch.buckets,
  )
  await appendEvents(trx, postedEvents(channelId, batch.accepted))
  return results
}

interface AcceptedDraft {
  draft: Draft
  message: ChatMessage
}

/** The event of one message names its sender as the actor. Messages that were stored together share an event without one. */
function postedEvents(channelId: string, accepted: readonly AcceptedDraft[]): NewEvent[] {
  const events: NewEvent[] = []
  for (let first = 0; first < accepted.length; first += MAX_MESSAGES_PER_EVENT) {
    const part = accepted.slice(first, first + MAX_MESSAGES_PER_EVENT)
    const [only] = part
    events.push(
      part.length === 1 && only !== undefined
        ? {
            type: 'chat.message.posted.v1',
            aggregateId: channelId,
            data: { message: only.message },
            cause: only.draft.cause,
          }
        : {
            type: 'chat.messages.posted.v1',
            aggregateId: channelId,
            data: { messages: part.map(({ message }) => message) },
          },
    )
  }
  return events
}

/** A batch of drafts of one channel, decided in order: each draft sees the tokens that earlier ones have taken. */
class Batch {
  readonly accepted: AcceptedDraft[] = []
  /** By user: the bucket after the drafts accepted so far. */
  readonly buckets = new Map<string, Bucket>()
  readonly #byClientId = new Map<string, ChatMessage>()
  readonly #channelId: string
  readonly #slowModeS: number
  readonly #now: Date
  readonly #limit: RateLimit
  #seq: number

  constructor(channelId: string, lastSeq: number, slowModeS: number, now: Date, limit: RateLimit) {
    this.#channelId = channelId
    this.#seq = lastSeq
    this.#slowModeS = slowModeS
    this.#now = now
    this.#limit = limit
  }

  decide(draft: Draft, sender: Sender | undefined): PostResult {
    if (sender === undefined) return errors.unavailable('The chat')
    const key = `${draft.userId} ${draft.clientId}`
    const duplicate = this.#byClientId.get(key)
    if (duplicate !== undefined) return { message: duplicate, isNew: false }
    if (sender.existing !== null)
      return { message: presentMessage(sender.existing, draft.role), isNew: false }
    if (sender.isRestricted) return restricted()
    const refusal = this.#checkRate(draft, this.buckets.get(draft.userId) ?? sender.bucket)
    if (refusal !== null) return refusal
    const message = this.#accept(draft, sender)
    this.#byClientId.set(key, message)
    return { message, isNew: true }
  }

  #checkRate(draft: Draft, bucket: Bucket | null): AppError | null {
    const nowMs = this.#now.getTime()
    const waitMs = may(draft.role, 'chat:moderate') ? 0 : slowModeWaitMs(bucket, nowMs, this.#slowModeS)
    if (waitMs > 0) return tooFast('This chat is in slow mode. Please wait before writing again.', waitMs)
    const result = takeToken(bucket, nowMs, this.#limit)
    if (!result.allowed)
      return tooFast('You are writing too fast. Please wait a moment.', result.retryAfterMs)
    this.buckets.set(draft.userId, result.bucket)
    return null
  }

  #accept(draft: Draft, { handle, artistName }: Sender): ChatMessage {
    this.#seq += 1
    const row = {
      id: newId(this.#now.getTime()),
      channelId: this.#channelId,
      seq: this.#seq,
      userId: draft.userId,
      message: draft.message,
      createdAt: this.#now,
      handle,
      artistName,
    }
    const message = presentMessage(row, draft.role)
    this.accepted.push({ draft, message })
    return message
  }
}

/** The text is fixed by the product description of the live page. */
const restricted = (): AppError =>
  new AppError('user_restricted', 'Failed to send message. You may be restricted from chat.')

const tooFast = (message: string, retryAfterMs: number): AppError =>
  new AppError('rate_limited', message, { retryAfterMs })
