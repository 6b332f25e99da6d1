import type { VoteResult } from '@looptide/contracts/http/requests'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { dayOf, type NetworkKeys } from '../networks/network-keys.ts'
import { saveNetwork } from '../networks/network-repository.ts'
import { markQueuesChanged } from '../queue/queue-repository.ts'
import { isRestricted } from '../users/user-repository.ts'
import type { WatchService } from '../watching/watch-service.ts'
import { findRequest, lockRequest } from './request-repository.ts'
import { countVotes, deleteVote, insertVote, markVotesChanged } from './vote-repository.ts'

interface VoteDeps {
  db: Kysely<Database>
  watching: WatchService
  now: () => number
}

/** Votes for requests that wait. */
export class VoteService {
  readonly #deps: VoteDeps

  constructor(deps: VoteDeps) {
    this.#deps = deps
  }

  /**
   * Votes for a request; a repeated vote changes nothing. Throws `user_restricted`, `not_watching` (with `missingMs`),
   * `not_found`, or `conflict` for a request that does not wait any more.
   */
  async cast(userId: string, network: NetworkKeys, requestId: string): Promise<VoteResult> {
    const { db, watching, now } = this.#deps
    if ((await findRequest(db, requestId)) === undefined) throw errors.notFound('This request')
    if (await isRestricted(db, userId, new Date(now()))) {
      throw new AppError('user_restricted', 'Your account is restricted.')
    }
    const missingMs = await watching.missingMs(userId)
    if (missingMs > 0) {
      const minutes = Math.ceil(missingMs / 60_000)
      const message = `Watch for ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'} to vote.`
      throw new AppError('not_watching', message, { refusal: { missingMs } })
    }
    await db.transaction().execute(async (trx) => {
      // The lock keeps a request from ending between this check and the vote.
      const request = await lockRequest(trx, requestId, 'share')
      if (request === undefined) throw errors.notFound('This request')
      if (request.state !== 'waiting') throw errors.conflict('This request does not wait any more.')
      const isNew = await insertVote(trx, { requestId, userId, votedAt: new Date(now()) })
      if (isNew) await markVotesChanged(trx, requestId)
      await saveNetwork(trx, userId, network)
      await markQueuesChanged(trx, [request.channelId])
    })
    return this.#result(userId, requestId)
  }

  /** Takes a vote back. Idempotent. `not_found` for an unknown request. */
  async withdraw(userId: string, requestId: string): Promise<VoteResult> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const request = await lockRequest(trx, requestId, 'share')
      if (request === undefined) throw errors.notFound('This request')
      if (await deleteVote(trx, requestId, userId)) await markVotesChanged(trx, requestId)
      await markQueuesChanged(trx, [request.channelId])
    })
    return this.#result(userId, requestId)
  }

  async #result(userId: string, requestId: string): Promise<VoteResult> {
    const { db, now } = this.#deps
    const [count] = await countVotes(db, [requestId], { userId, day: dayOf(now()) })
    return { votes: count?.votes ?? 0, hasVoted: count?.hasVoted ?? false }
  }
}
