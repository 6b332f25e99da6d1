import type { Role } from '@looptide/contracts/common'
import type { ChatMessage, HeldMessage } from '@looptide/contracts/http/chat'
import { may } from '@looptide/contracts/permissions'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import { presentHeld } from '../held/held-repository.ts'
import type { ToHold } from '../held/hold-messages.ts'
import { hasLink } from '../held/links.ts'
import type { WordDecision, WordFilter } from '../words/word-filter.ts'
import { presentMessage } from './present-message.ts'
import { type Bucket, type NewAccountRules, type RateLimit, slowModeWaitMs, takeToken } from './rate-limit.ts'
import type { Sender } from './sender-repository.ts'

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

/** `isNew` is false if the client id was posted before. A held message waits for a moderator. */
export type PostedMessage = { message: ChatMessage; isNew: boolean } | { held: HeldMessage }

/** What messages of a channel must comply with. */
interface Rules {
  slowModeS: number
  limit: RateLimit
  newAccounts: NewAccountRules
  /** Users of whom enough messages have stood by now. */
  established: ReadonlySet<string>
  words: WordFilter
}

export interface AcceptedDraft {
  draft: Draft
  message: ChatMessage
}

/** What becomes of a draft. A draft to be held may still be refused, if too many wait. */
type Decision = PostedMessage | { hold: ToHold } | AppError

/** A batch of drafts of one channel, decided in order: each draft sees the tokens that earlier ones have taken. */
export class MessageBatch {
  readonly accepted: AcceptedDraft[] = []
  /** By user: the bucket after the drafts accepted or held so far. */
  readonly buckets = new Map<string, Bucket>()
  readonly #byClientId = new Map<string, PostedMessage | { hold: ToHold }>()
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

  /** Number of the last message that is accepted, or of the channel's last one. */
  get lastSeq(): number {
    return this.#seq
  }

  /** Decides about the next draft. `sender` is undefined if it could not be read. */
  decide(draft: Draft, sender: Sender | undefined): Decision {
    if (sender === undefined) return errors.unavailable('The chat')
    const key = `${draft.userId} ${draft.clientId}`
    const duplicate = this.#byClientId.get(key)
    if (duplicate !== undefined) return 'message' in duplicate ? { ...duplicate, isNew: false } : duplicate
    if (sender.existing !== null)
      return { message: presentMessage(sender.existing, draft.role), isNew: false }
    if (sender.held !== null) return { held: presentHeld(sender.held) }
    if (sender.isRestricted) return restricted()
    const { action, message } = this.#checkWords(draft)
    if (action === 'refuse') return refused()
    const refusal = this.#checkRate(draft, sender)
    if (refusal !== null) return refusal
    const reason = action === 'hold' ? 'word' : this.#mustWaitForLink(draft, sender) ? 'link' : null
    const decision =
      reason === null
        ? { message: this.#accept({ ...draft, message }, sender), isNew: true }
        : {
            hold: {
              userId: draft.userId,
              clientId: draft.clientId,
              message,
              reason,
              cause: draft.cause,
            } as const,
          }
    this.#byClientId.set(key, decision)
    return decision
  }

  /** The word list does not apply to those who write it. */
  #checkWords({ role, message }: Draft): Pick<WordDecision, 'action' | 'message'> {
    return may(role, 'chat:moderate') ? { action: null, message } : this.#rules.words.check(message)
  }

  /** Whether the message has a link and its sender is a new account. */
  #mustWaitForLink({ role, message }: Draft, { registeredAt }: Sender): boolean {
    const { linksFromAgeMs } = this.#rules.newAccounts
    if (registeredAt === null || may(role, 'chat:moderate')) return false
    return this.#now.getTime() - registeredAt.getTime() < linksFromAgeMs && hasLink(message)
  }

  #checkRate({ role, userId }: Draft, sender: Sender): AppError | null {
    const bucket = this.buckets.get(userId) ?? sender.bucket
    const nowMs = this.#now.getTime()
    const { limit, newAccounts } = this.#rules
    const isNew = !sender.isEstablished && !this.#rules.established.has(userId)
    const slowModeS = isNew ? Math.max(this.#rules.slowModeS, newAccounts.slowModeS) : this.#rules.slowModeS
    const waitMs = may(role, 'chat:moderate') ? 0 : slowModeWaitMs(bucket, nowMs, slowModeS)
    if (waitMs > 0) return tooFast('This chat is in slow mode. Please wait before writing again.', waitMs)
    const result = takeToken(bucket, nowMs, limit)
    if (!result.allowed)
      return tooFast('You are writing too fast. Please wait a moment.', result.retryAfterMs)
    this.buckets.set(userId, result.bucket)
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
