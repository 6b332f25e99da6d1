import type { Role } from '@looptide/contracts/common'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { AppError, errors, isOutage } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import { appendEvents, type Cause } from '@looptide/service-kit/outbox'
import type { Kysely, Transaction } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'
import { findSenders, insertMessages, lockChannel, type Sender } from './message-repository.ts'
import { presentMessage } from './present-message.ts'
import { type Bucket, type RateRule, slowModeWaitMs, takeTurn } from './rate-rule.ts'

/** A message that somebody wants to say. */
export interface Draft {
  channelId: string
  userId: string
  clientId: string
  message: string
  /** Moderators and admins are not held up by slow mode. */
  role: Role
  cause: Cause
}

/** `isNew` is false when the same client id was posted before. */
export interface Posted {
  message: ChatMessage
  isNew: boolean
}

interface Waiting {
  draft: Draft
  resolve: (posted: Posted) => void
  reject: (reason: unknown) => void
}

const MAX_BATCH = 100
const MAX_WAITING = 5000

/**
 * Writes messages. A channel's messages must be committed one after another, for their numbers have no
 * gaps; so those that arrive while one transaction is under way go together in the next. Alone, a message
 * waits for nothing; in a rush, a hundred share the round trips and the flush to disk.
 */
export class MessageWriter {
  readonly #db: Kysely<ChatDb>
  readonly #rule: RateRule
  readonly #queues = new Map<string, Waiting[]>()

  constructor(db: Kysely<ChatDb>, rule: RateRule) {
    this.#db = db
    this.#rule = rule
  }

  /** Resolves after the commit. Rejects with `not_found`, `user_restricted`, `rate_limited` or an outage. */
  post(draft: Draft): Promise<Posted> {
    const { promise, resolve, reject } = Promise.withResolvers<Posted>()
    const waiting = { draft, resolve, reject }
    const queue = this.#queues.get(draft.channelId)
    if (queue === undefined) {
      this.#queues.set(draft.channelId, [waiting])
      void this.#drain(draft.channelId)
    } else if (queue.length < MAX_WAITING) queue.push(waiting)
    else reject(errors.unavailable('The chat', new Error('too many messages are waiting')))
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

  /** A fault that is one message's own must not be the others'. */
  async #writeOrSplit(channelId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      const drafts = batch.map((waiting) => waiting.draft)
      const results = await this.#db
        .transaction()
        .execute((trx) => writeBatch(trx, channelId, drafts, this.#rule))
      for (const [i, waiting] of batch.entries()) settle(waiting, results[i])
    } catch (error) {
      if (batch.length === 1 || isOutage(error) || error instanceof AppError) {
        for (const waiting of batch) waiting.reject(error)
      } else {
        for (const waiting of batch) await this.#writeOrSplit(channelId, [waiting])
      }
    }
  }
}

type Result = Posted | AppError

function settle({ resolve, reject }: Waiting, result: Result | undefined): void {
  if (result === undefined || result instanceof AppError) reject(result)
  else resolve(result)
}

/** What becomes of each draft, in their order; what is allowed is stored and told of. */
async function writeBatch(
  trx: Transaction<ChatDb>,
  channelId: string,
  drafts: readonly Draft[],
  rule: RateRule,
): Promise<Result[]> {
  const channel = await lockChannel(trx, channelId)
  if (channel === null) throw errors.notFound('This channel')
  const { now, senders } = await findSenders(trx, channelId, drafts)
  const round = new Round(channelId, channel.lastSeq, channel.slowModeS, now, rule)
  const results = drafts.map((draft, i) => round.judge(draft, senders[i]))
  if (round.accepted.length === 0) return results
  await insertMessages(
    trx,
    channelId,
    now,
    round.accepted.map(({ draft, message }) => ({
      id: message.id,
      seq: message.seq,
      userId: draft.userId,
      clientId: draft.clientId,
      message: message.message,
    })),
    round.paces,
  )
  await appendEvents(
    trx,
    round.accepted.map(({ draft, message }) => ({
      type: 'chat.message.posted.v1' as const,
      aggregateId: channelId,
      data: { message },
      cause: draft.cause,
    })),
  )
  return results
}

/** One batch of drafts, judged one after another: what the first used up is not there for the second. */
class Round {
  readonly accepted: { draft: Draft; message: ChatMessage }[] = []
  readonly paces = new Map<string, Bucket>()
  readonly #byClientId = new Map<string, ChatMessage>()
  readonly #channelId: string
  readonly #slowModeS: number
  readonly #now: Date
  readonly #rule: RateRule
  #seq: number

  constructor(channelId: string, lastSeq: number, slowModeS: number, now: Date, rule: RateRule) {
    this.#channelId = channelId
    this.#seq = lastSeq
    this.#slowModeS = slowModeS
    this.#now = now
    this.#rule = rule
  }

  judge(draft: Draft, sender: Sender | undefined): Result {
    if (sender === undefined) return errors.unavailable('The chat')
    const key = `${draft.userId} ${draft.clientId}`
    const twin = this.#byClientId.get(key)
    if (twin !== undefined) return { message: twin, isNew: false }
    if (sender.existing !== null)
      return { message: presentMessage(sender.existing, draft.role), isNew: false }
    if (sender.isRestricted) return restricted()
    const refusal = this.#pace(draft, this.paces.get(draft.userId) ?? sender.bucket)
    if (refusal !== null) return refusal
    const message = this.#accept(draft, sender)
    this.#byClientId.set(key, message)
    return { message, isNew: true }
  }

  #pace(draft: Draft, bucket: Bucket | null): AppError | null {
    const nowMs = this.#now.getTime()
    const waitMs = draft.role !== 'user' ? 0 : slowModeWaitMs(bucket, nowMs, this.#slowModeS)
    if (waitMs > 0) return tooFast('This chat is in slow mode. Please wait before writing again.', waitMs)
    const turn = takeTurn(bucket, nowMs, this.#rule)
    if (!turn.allowed) return tooFast('You are writing too fast. Please wait a moment.', turn.retryAfterMs)
    this.paces.set(draft.userId, turn.bucket)
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

/** The text: docs/product/viewer.md §8. */
const restricted = (): AppError =>
  new AppError('user_restricted', 'Failed to send message. You may be restricted from chat.')

const tooFast = (message: string, retryAfterMs: number): AppError =>
  new AppError('rate_limited', message, { retryAfterMs })
