import type { CreatePollBody, OwnPoll, Poll, PollPage } from '@looptide/contracts/http/polls'
import { textKey } from '@looptide/contracts/text'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { NetworkKeys } from '../networks/network-keys.ts'
import { saveNetwork } from '../networks/network-repository.ts'
import { type CheckRequest, NO_VIDEO } from '../rules/request-check.ts'
import { ensureChannel } from '../settings/settings-repository.ts'
import type { AccountLoader } from '../users/account-loader.ts'
import { requireFewAttempts } from '../users/attempts.ts'
import { mayChat } from '../users/user-repository.ts'
import { closePoll } from './poll-publisher.ts'
import {
  deletePoll,
  findAnswer,
  findPoll,
  insertPoll,
  listPolls,
  lockPoll,
  markPollChanged,
  type PollRow,
  saveVote,
} from './poll-repository.ts'
import { presentPoll } from './present-poll.ts'

/** Votes, also changed ones, of an account within a minute, before `RATE_LIMIT_FACTOR`. */
const VOTES_PER_MINUTE = 30

interface PollDeps {
  db: Kysely<Database>
  accounts: AccountLoader
  check: CheckRequest
  rateLimitFactor: number
  /** Epoch ms. */
  now: () => number
}

/** Polls in the chats of channels: a moderator asks, viewers vote until the poll closes. What moderators do is audited. */
export class PollService {
  readonly #deps: PollDeps

  constructor(deps: PollDeps) {
    this.#deps = deps
  }

  /** A page of a channel's polls, newest first. Throws `invalid_cursor`. */
  async list(
    channelId: string,
    { limit = 100, cursor }: { limit?: number; cursor?: string },
  ): Promise<PollPage> {
    const before = cursor === undefined ? null : decodeCursor(cursor, ['string'])[0]
    const rows = await listPolls(this.#deps.db, channelId, before, limit + 1)
    return toPage(rows, limit, presentPoll, ({ id }) => [id])
  }

  /** A poll as a user sees it; `userId` null: a visitor. Throws `not_found`. */
  async get(pollId: string, userId: string | null): Promise<OwnPoll> {
    const { db } = this.#deps
    const poll = requireFound(await findPoll(db, pollId))
    const ownAnswer = userId === null ? null : await findAnswer(db, pollId, userId)
    return { ...presentPoll(poll), ownAnswer }
  }

  /**
   * Asks a question. Throws `validation_failed` for two answers that look the same, `poll_open`, `not_found`, or
   * `service_unavailable` without an answer of the scheduler.
   */
  async create(
    channelId: string,
    { question, answers, durationS }: CreatePollBody,
    { askedBy, cause }: { askedBy: string; cause: Cause },
  ): Promise<Poll> {
    if (new Set(answers.map(textKey)).size < answers.length) {
      throw errors.validation('Two answers are the same.')
    }
    const { db, check, now } = this.#deps
    const { airingId = null } = await check(channelId, NO_VIDEO)
    const nowMs = now()
    return db.transaction().execute(async (trx) => {
      await ensureChannel(trx, channelId)
      const row = await insertPoll(trx, {
        id: newId(nowMs),
        ...{ channelId, airingId, question, answers, askedBy },
        counts: answers.map(() => 0),
        askedAt: new Date(nowMs),
        closesAt: new Date(nowMs + durationS * 1000),
        closedAt: null,
      })
      if (row === undefined) throw new AppError('poll_open', 'This channel has an open poll.')
      const poll = presentPoll(row)
      await appendEvent(trx, 'audience.poll.changed.v1', channelId, { poll }, cause)
      await audit(trx, 'poll.create', row, { after: { question, answers, durationS }, cause })
      return poll
    })
  }

  /**
   * Votes for an answer, instead of an earlier one of the account. Idempotent. Throws `not_found`, `user_restricted`,
   * `poll_closed`, `validation_failed` for an answer that the poll does not have, `rate_limited`, `service_unavailable`.
   */
  async vote(pollId: string, answer: number, userId: string, network: NetworkKeys): Promise<OwnPoll> {
    const { db, accounts, now } = this.#deps
    const poll = requireFound(await findPoll(db, pollId))
    if (answer >= poll.answers.length) throw errors.validation('This poll has no such answer.')
    // Ensures that the account has a row, which counts its attempts, and that its restrictions are known.
    await accounts.registeredAt(userId)
    if (!(await mayChat(db, userId, new Date(now())))) {
      throw new AppError('user_restricted', 'Your account may not vote in polls at present.')
    }
    await requireFewAttempts(this.#deps, userId, {
      kind: 'pollVote',
      perMinute: VOTES_PER_MINUTE,
      message: 'You have changed your vote often. Please wait a moment.',
    })
    await db.transaction().execute(async (trx) => {
      const locked = requireFound(await lockPoll(trx, pollId, 'vote'))
      const votedAt = new Date(now())
      if (locked.closedAt !== null || locked.closesAt <= votedAt) {
        throw new AppError('poll_closed', 'This poll is closed.')
      }
      await saveVote(trx, { pollId, userId, answer, votedAt })
      await saveNetwork(trx, userId, network)
      await markPollChanged(trx, pollId)
    })
    return this.get(pollId, userId)
  }

  /** Closes a poll before its time. Idempotent. Throws `not_found`. */
  async end(pollId: string, cause: Cause): Promise<Poll> {
    const { db, now } = this.#deps
    return db.transaction().execute(async (trx) => {
      const closed = await closePoll(trx, pollId, { now, cause })
      if (closed === null) return presentPoll(requireFound(await findPoll(trx, pollId)))
      await audit(trx, 'poll.end', closed, { after: { question: closed.question }, cause })
      return presentPoll(closed)
    })
  }

  /** Deletes a poll with its votes. An open one has no result then. Throws `not_found`. */
  async remove(pollId: string, cause: Cause): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const poll = requireFound(await lockPoll(trx, pollId, 'close'))
      await deletePoll(trx, pollId)
      const { channelId, question, answers } = poll
      await appendEvent(trx, 'audience.poll.removed.v1', channelId, { channelId, pollId }, cause)
      await audit(trx, 'poll.remove', poll, { before: { question, answers }, cause })
    })
  }
}

function requireFound(poll: PollRow | undefined): PollRow {
  if (poll === undefined) throw errors.notFound('This poll')
  return poll
}

const audit = (
  trx: Transaction<Database>,
  action: 'poll.create' | 'poll.end' | 'poll.remove',
  { id, channelId }: PollRow,
  { cause, ...values }: { before?: object; after?: object; cause: Cause },
): Promise<void> =>
  appendAudit(
    trx,
    'audience.audit.recorded.v1',
    { action, targetType: 'channel', targetId: channelId, ...values, details: { pollId: id } },
    cause,
  )
