import type { OwnRequestPage, RequestPage, ViewerRequest } from '@looptide/contracts/http/requests'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { dayOf } from '../networks/network-keys.ts'
import { listOwn } from './own-request-repository.ts'
import { findRequest, type ListPosition, listWaiting, type RequestRow } from './request-repository.ts'
import { countVotes, type VoteCount } from './vote-repository.ts'

/** In cursors: the position is behind the pinned requests. */
const NOT_PINNED = -1

/** Reads requests, with votes as a user sees them. */
export class RequestReader {
  readonly #db: Kysely<Database>
  readonly #now: () => number

  constructor(db: Kysely<Database>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /** A page of the requests that wait on a channel. Throws `invalid_cursor`. */
  async list(
    channelId: string,
    userId: string | null,
    { limit = 100, cursor }: { limit?: number; cursor?: string },
  ): Promise<RequestPage> {
    const after = cursor === undefined ? null : readPosition(cursor)
    const rows = await listWaiting(this.#db, channelId, after, limit)
    const counts = await this.#countsOf(rows.slice(0, limit), userId)
    return toPage(
      rows,
      limit,
      (row) => presentRequest(row, counts.get(row.id), userId),
      ({ pinnedAt, rank, id }) => [pinnedAt?.getTime() ?? NOT_PINNED, rank, id],
    )
  }

  /** A page of a user's requests in any state, newest first. Throws `invalid_cursor`. */
  async listOwn(
    userId: string,
    { limit = 100, cursor }: { limit?: number; cursor?: string },
  ): Promise<OwnRequestPage> {
    const before = cursor === undefined ? null : decodeCursor(cursor, ['string'])[0]
    const rows = await listOwn(this.#db, userId, before, limit)
    const counts = await this.#countsOf(rows.slice(0, limit), userId)
    return toPage(
      rows,
      limit,
      (row) => ({
        ...presentRequest(row, counts.get(row.id), userId),
        channelId: row.channelId,
        endedAt: row.finishedAt?.toISOString() ?? null,
        isByStaff: row.endedByStaff,
        reason: row.reason,
        movedFrom: row.movedFrom?.toISOString() ?? null,
      }),
      ({ id }) => [id],
    )
  }

  /** One request in any state. Throws `not_found`. */
  async get(id: string, userId: string | null): Promise<ViewerRequest> {
    const row = await findRequest(this.#db, id)
    if (row === undefined) throw errors.notFound('This request')
    return presentRequest(row, (await this.#countsOf([row], userId)).get(row.id), userId)
  }

  async #countsOf(rows: readonly RequestRow[], userId: string | null) {
    const ids = rows.map(({ id }) => id)
    const counts = await countVotes(this.#db, ids, { userId, day: dayOf(this.#now()) })
    return new Map(counts.map((count) => [count.requestId, count]))
  }
}

function readPosition(cursor: string): ListPosition {
  const [pinnedAtMs, rank, id] = decodeCursor(cursor, ['number', 'number', 'string'])
  return { pinnedAt: pinnedAtMs === NOT_PINNED ? null : new Date(pinnedAtMs), rank, id }
}

/** Who has requested something, as `viewerId` sees it: others see only names that their accounts show. */
export function requesterOf(
  { userId, handle, showsRequests }: Pick<RequestRow, 'userId' | 'handle' | 'showsRequests'>,
  viewerId: string | null,
): ViewerRequest['requestedBy'] {
  if (userId === null || (showsRequests === false && userId !== viewerId)) return null
  return { userId, handle }
}

/** A request as a user sees it. Without `count` nobody has voted for it. */
const presentRequest = (
  row: RequestRow,
  count: VoteCount | undefined,
  viewerId: string | null,
): ViewerRequest => ({
  id: row.id,
  video: {
    id: row.videoId,
    title: row.title,
    artistName: row.artistName,
    thumbnailUrl: row.thumbnailUrl,
    durationMs: row.durationMs,
  },
  requestedBy: requesterOf(row, viewerId),
  requestedAt: row.requestedAt.toISOString(),
  votes: count?.votes ?? 0,
  hasVoted: count?.hasVoted ?? false,
  state: row.plannedAt === null ? row.state : 'planned',
  isPinned: row.pinnedAt !== null,
  expectedAt: row.plannedAt?.toISOString() ?? null,
  blockedBy:
    row.blockedRule === null
      ? null
      : { rule: row.blockedRule, until: row.blockedUntil?.toISOString() ?? null },
})
