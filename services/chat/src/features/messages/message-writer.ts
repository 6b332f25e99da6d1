import { MAX_MESSAGES_PER_EVENT } from '@looptide/contracts/events/chat'
import { appendEvents, type NewEvent } from '@looptide/service-kit/events/outbox'
import { AppError, errors, isOutage } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { holdMessages } from '../held/hold-messages.ts'
import type { WordListService } from '../words/word-list-service.ts'
import { type AcceptedDraft, type Draft, MessageBatch, type PostedMessage } from './message-batch.ts'
import { insertMessages, lockChannel } from './message-repository.ts'
import type { NewAccountRules, RateLimit } from './rate-limit.ts'
import { establish, findSenders, type Sender } from './sender-repository.ts'

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
  readonly #newAccounts: NewAccountRules
  readonly #words: WordListService
  readonly #queues = new Map<string, QueuedDraft[]>()

  constructor(
    db: Kysely<Database>,
    { limit, newAccounts }: { limit: RateLimit; newAccounts: NewAccountRules },
    words: WordListService,
  ) {
    this.#db = db
    this.#limit = limit
    this.#newAccounts = newAccounts
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
    const batch = new MessageBatch(channelId, channel.lastSeq, now, {
      slowModeS: channel.slowModeS,
      limit: this.#limit,
      newAccounts: this.#newAccounts,
      established: await this.#establish(trx, drafts, senders),
      words: await this.#words.filterAt(trx, wordListVersion),
    })
    const decisions = drafts.map((draft, i) => batch.decide(draft, senders[i]))
    const toHold = decisions.flatMap((decision) => ('hold' in decision ? [decision.hold] : []))
    const held = await holdMessages(trx, channelId, now, toHold)
    if (batch.buckets.size > 0) {
      const messages = batch.accepted.map(({ draft, message: { id, seq, message } }) => {
        const { userId, clientId } = draft
        return { id, seq, userId, clientId, message }
      })
      const { lastSeq, buckets } = batch
      await insertMessages(trx, channelId, { createdAt: now, lastSeq, messages, buckets })
      await appendEvents(trx, postedEvents(channelId, batch.accepted))
    }
    let at = 0
    return decisions.map((decision) => {
      if (!('hold' in decision)) return decision
      const result = held[at++]
      if (result === undefined) return errors.unavailable('The chat')
      return result instanceof AppError ? result : { held: result }
    })
  }

  /** The senders that are not new to slow mode from now on. */
  async #establish(
    trx: Transaction<Database>,
    drafts: readonly Draft[],
    senders: readonly Sender[],
  ): Promise<ReadonlySet<string>> {
    if (this.#newAccounts.slowModeS === 0) return NO_USERS
    const fresh = drafts.flatMap(({ userId }, i) => (senders[i]?.isEstablished === false ? [userId] : []))
    return fresh.length === 0 ? NO_USERS : establish(trx, fresh)
  }
}

type PostResult = PostedMessage | AppError

const NO_USERS: ReadonlySet<string> = new Set()

function settle({ resolve, reject }: QueuedDraft, result: PostResult | undefined): void {
  if (result === undefined || result instanceof AppError) reject(result)
  else resolve(result)
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
