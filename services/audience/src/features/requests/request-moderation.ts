import { may } from '@looptide/contracts/permissions'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Database, RequestsTable } from '../../db/schema.ts'
import { markQueuesChanged } from '../queue/queue-repository.ts'
import { finishRequest, isRequestDecided, lockRequest, setPinned } from './request-repository.ts'
import { deleteVotesOf } from './vote-repository.ts'

type StoredRequest = Selectable<RequestsTable>

/** Ends and pins requests. Each change, its event and its audit entry are one transaction. */
export class RequestModeration {
  readonly #db: Kysely<Database>
  readonly #now: () => number

  constructor(db: Kysely<Database>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /**
   * Withdraws a request: the user's own, or with `schedules:edit` that of another user, which is audited. Idempotent. Throws
   * `not_found`, `forbidden`, or `conflict` for one that has ended in another way or certainly will be aired.
   */
  async withdraw(user: RequestUser, requestId: string, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const request = await lockExisting(trx, requestId)
      const isOwn = request.userId === user.id
      if (!isOwn && !may(user.role, 'schedules:edit')) {
        throw errors.notAllowed('This request belongs to another user.')
      }
      if (request.state === 'withdrawn') return
      await this.#finish(trx, request, { state: 'withdrawn', reason: null, endedByStaff: !isOwn }, cause)
      if (!isOwn) await audit(trx, 'request.withdraw', request, {}, cause)
    })
  }

  /** Refuses a waiting request with a reason. Throws `not_found`, `conflict`. */
  async refuse(requestId: string, reason: string, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const request = await lockExisting(trx, requestId)
      await this.#finish(trx, request, { state: 'refused', reason, endedByStaff: true }, cause)
      await audit(trx, 'request.refuse', request, { reason }, cause)
    })
  }

  /** Puts a waiting request before the others, or returns it to its place. Idempotent. Throws `not_found`, `conflict`. */
  async pin(requestId: string, isPinned: boolean, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const request = await lockExisting(trx, requestId)
      requireWaiting(request)
      if ((request.pinnedAt !== null) === isPinned) return
      await setPinned(trx, requestId, isPinned ? new Date(this.#now()) : null)
      await publish(trx, request, 'waiting', cause)
      await audit(trx, isPinned ? 'request.pin' : 'request.unpin', request, {}, cause)
    })
  }

  async #finish(
    trx: Transaction<Database>,
    request: StoredRequest,
    end: { state: 'withdrawn' | 'refused'; reason: string | null; endedByStaff: boolean },
    cause: Cause,
  ): Promise<void> {
    requireWaiting(request)
    if (await isRequestDecided(trx, request.id))
      throw errors.conflict('This request is in the programme already and will be aired.')
    await finishRequest(trx, request.id, { ...end, finishedAt: new Date(this.#now()) })
    await deleteVotesOf(trx, [request.id])
    await publish(trx, request, end.state, cause)
  }
}

async function lockExisting(trx: Transaction<Database>, id: string): Promise<StoredRequest> {
  const request = await lockRequest(trx, id, 'update')
  if (request === undefined) throw errors.notFound('This request')
  return request
}

function requireWaiting({ state }: StoredRequest): void {
  if (state !== 'waiting') throw errors.conflict('This request does not wait any more.')
}

async function publish(
  trx: Transaction<Database>,
  { id, channelId }: StoredRequest,
  state: 'waiting' | 'withdrawn' | 'refused',
  cause: Cause,
): Promise<void> {
  await markQueuesChanged(trx, [channelId])
  await appendEvent(trx, 'audience.request.changed.v1', channelId, { channelId, requestId: id, state }, cause)
}

/** The action says what has changed. `reason`: the one of a refusal. */
const audit = (
  trx: Transaction<Database>,
  action: 'request.withdraw' | 'request.refuse' | 'request.pin' | 'request.unpin',
  { id, channelId, userId, videoId, title }: StoredRequest,
  reason: { reason?: string },
  cause: Cause,
): Promise<void> =>
  appendAudit(
    trx,
    'audience.audit.recorded.v1',
    {
      ...{ action, targetType: 'request', targetId: id, targetUserId: userId },
      details: { channelId, videoId, videoTitle: title, ...reason },
    },
    cause,
  )
