import type { Role } from '@looptide/contracts/common'
import { MAX_MESSAGES_PER_EVENT } from '@looptide/contracts/events/chat'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { may } from '@looptide/contracts/permissions'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvents, type Cause, type NewEvent } from '@looptide/service-kit/events/outbox'
import { AppError, errors, isOutage } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { WordDecision, WordFilter } from '../words/word-filter.ts'
import type { WordListService } from '../words/word-list-service.ts'
import { findSenders, insertMessages, lockChannel, type Sender } from './message-repository.ts'
import { presentMessage } from './present-message.ts'
import { type Bucket, type RateLimit, slowModeWaitMs, takeToken } from './rate-limit.ts'

/** A message to be posted. */
export interface Draft {
  channelId: string
  userId: string
  clientId: string
  message: string
  /** Slow mode and the word list do not apply to moderators and admins. */
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
  readonly #words: WordListService
  readonly #queues = new Map<string, QueuedDraft[]>()

  constructor(db: Kysely<Database>, limit: RateLimit, words: WordListService) {
    this.#db = db
    this.#limit = limit
    this.#words = words
  }

  /** Resolves after the commit. Rejects with `not_found`, `user_restricted`, `message_refused`, `rate_limited` or an outage. */
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
      const results = await this.#db.transaction().execute((trx) => this.#write(trx, channelId, drafts))
      for (const [i, queued] of batch.entries()) settle(queued, results[i])
    } catch (error) {
      if (batch.length === 1 || isOutage(error) || error instanceof AppError) {
        for (const queued of batch) queued.reject(error)
      } else {
        for (const queued of batch) await this.#writeOrSplit(channelId, [queued])
      }
    }
  }

  /** Stores and publishes the drafts that are allowed. Returns a result for each draft, in the same order. */
  async #write(
    trx: Transaction<Database>,
    channelId: string,
    drafts: readonly Draft[],
  ): Promise<PostResult[]> {
    const channel = await lockChannel(trx, channelId)
    if (channel === null) throw errors.notFound('This channel')
    const { now, wordListVersion, senders } = await findSenders(trx, channelId, drafts)
    const rules = {
      slowModeS: channel.slowModeS,
      limit: this.#limit,
      words: await this.#words.filterAt(trx, wordListVersion),
    }
    const batch = new Batch(channelId, channel.lastSeq, now, rules)
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
}

type PostResult = PostedMessage | AppError

function settle({ resolve, reject }: QueuedDraft, result: PostResult | undefined): void {
  if (result === undefined || result instanceof AppError) reject(result)
  else resolve(result)
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

/** What messages of a channel must comply with. */
interface Rules {
  slowModeS: number
  limit: RateLimit
  words: WordFilter
}

/** A batch of drafts of one channel, decided in order: each draft sees the tokens that earlier ones have taken. */
class Batch {
  readonly accepted: AcceptedDraft[] = []
  /** By user: the bucket after the drafts accepted so far. */
  readonly buckets = new Map<string, Bucket>()
  readonly #byClientId = new Map<string, ChatMessage>()
  readonly #channelId: string
  readonly #now: Date
  readonly #rules: Rules
  #seq: number

  constructor(channelId: string, lastSeq: number, now: Date, rules: Rules) {
    this.#channelId = channelId
    this.#seq = lastSeq
    this.#now = now
    this.#rules = rules
  }

  decide(draft: Draft, sender: Sender | undefined): PostResult {
    if (sender === undefined) return errors.unavailable('The chat')
    const key = `${draft.userId} ${draft.clientId}`
    const duplicate = this.#byClientId.get(key)
    if (duplicate !== undefined) return { message: duplicate, isNew: false }
    if (sender.existing !== null)
      return { message: presentMessage(sender.existing, draft.role), isNew: false }
    if (sender.isRestricted) return restricted()
    const { action, message: text } = this.#checkWords(draft)
    if (action === 'refuse') return refused()
    const refusal = this.#checkRate(draft, this.buckets.get(draft.userId) ?? sender.bucket)
    if (refusal !== null) return refusal
    const message = this.#accept({ ...draft, message: text }, sender)
    this.#byClientId.set(key, message)
    return { message, isNew: true }
  }

  /** The word list does not apply to those who write it. */
  #checkWords({ role, message }: Draft): Pick<WordDecision, 'action' | 'message'> {
    return may(role, 'chat:moderate') ? { action: null, message } : this.#rules.words.check(message)
  }

  #checkRate(draft: Draft, bucket: Bucket | null): AppError | null {
    const nowMs = this.#now.getTime()
    const { slowModeS, limit } = this.#rules
    const waitMs = may(draft.role, 'chat:moderate') ? 0 : slowModeWaitMs(bucket, nowMs, slowModeS)
    if (waitMs > 0) return tooFast('This chat is in slow mode. Please wait before writing again.', waitMs)
    const result = takeToken(bucket, nowMs, limit)
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

const refused = (): AppError =>
  new AppError('message_refused', 'This message contains words that are not allowed in this chat.')

const tooFast = (message: string, retryAfterMs: number): AppError =>
  new AppError('rate_limited', message, { retryAfterMs })
