import type { PageQuery } from '@looptide/contracts/common'
import type {
  ListRequestsQuery,
  OwnRequestPage,
  RequestPage,
  ViewerRequest,
} from '@looptide/contracts/http/requests'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import { dayOf } from '../networks/network-keys.ts'
import { excludedAmong } from '../settings/settings-repository.ts'
import { listOwn } from './own-request-repository.ts'
import { findRequest, type ListPosition, listWaiting, type RequestRow } from './request-repository.ts'
import { countVotes, type VoteCount } from './vote-repository.ts'

const WHAT = 'This request'
/** `rule` of a video or artist that staff have excluded from requests. */
export const EXCLUDED = 'excludedFromRequests'
/** In cursors: the request is not planned, or not pinned. */
const NEVER = -1

/** Reads requests, with votes as a user sees them. */
export class RequestReader {
  readonly #db: Kysely<Database>
  readonly #now: () => number

  constructor(db: Kysely<Database>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /** A page of the requests that wait on a channel, or of those of one video. Throws `invalid_cursor`. */
  async list(
    channelId: string,
    userId: string | null,
    { limit = 100, cursor, videoId }: Static<typeof ListRequestsQuery>,
  ): Promise<RequestPage> {
    const after = cursor === undefined ? null : readPosition(cursor)
    const rows = await listWaiting(this.#db, channelId, { after, videoId, limit })
    const present = await this.#presenter(rows.slice(0, limit), userId)
    return toPage(rows, limit, present, ({ plannedAt, pinnedAt, rank, id }) => [
      plannedAt?.getTime() ?? NEVER,
      pinnedAt?.getTime() ?? NEVER,
      rank,
      id,
    ])
  }

  /** A page of a user's requests in any state, newest first. Throws `invalid_cursor`. */
  async listOwn(userId: string, { limit = 100, cursor }: Static<typeof PageQuery>): Promise<OwnRequestPage> {
    const before = cursor === undefined ? null : decodeCursor(cursor, ['string'])[0]
    const rows = await listOwn(this.#db, userId, before, limit)
    const present = await this.#presenter(rows.slice(0, limit), userId)
    return toPage(
      rows,
      limit,
      (row) => ({
        ...present(row),
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
  async get(id: string, userId: string): Promise<ViewerRequest> {
    return this.#present(await this.#require(id), userId)
  }

  /** One request that everyone who sees its channel may see. Throws `not_found`, also for a refused or withdrawn one. */
  async find(id: string, userId: string | null): Promise<{ channelId: string; request: ViewerRequest }> {
    const row = await this.#require(id)
    if (row.state === 'refused' || row.state === 'withdrawn') throw errors.notFound(WHAT)
    return { channelId: row.channelId, request: await this.#present(row, userId) }
  }

  async #require(id: string): Promise<RequestRow> {
    const row = await findRequest(this.#db, id)
    if (row === undefined) throw errors.notFound(WHAT)
    return row
  }

  async #present(row: RequestRow, userId: string | null): Promise<ViewerRequest> {
    return (await this.#presenter([row], userId))(row)
  }

  /** Presents these rows as a user sees them. */
  async #presenter(
    rows: readonly RequestRow[],
    userId: string | null,
  ): Promise<(row: RequestRow) => ViewerRequest> {
    const ids = rows.map(({ id }) => id)
    const day = dayOf(this.#now())
    const counts = new Map(
      (await countVotes(this.#db, ids, { userId, day })).map((count) => [count.requestId, count]),
    )
    const excluded = await excludedAmong(
      this.#db,
      rows.filter(({ state }) => state === 'waiting'),
    )
    return (row) =>
      presentRequest(row, { count: counts.get(row.id), isExcluded: excluded.has(row.id), userId })
  }
}

function readPosition(cursor: string): ListPosition {
  const [plannedAtMs, pinnedAtMs, rank, id] = decodeCursor(cursor, ['number', 'number', 'number', 'string'])
  const dateOf = (epochMs: number) => (epochMs === NEVER ? null : new Date(epochMs))
  return { plannedAt: dateOf(plannedAtMs), pinnedAt: dateOf(pinnedAtMs), rank, id }
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
  { count, isExcluded, userId }: { count: VoteCount | undefined; isExcluded: boolean; userId: string | null },
): ViewerRequest => ({
  id: row.id,
  video: {
    id: row.videoId,
    title: row.title,
    artistName: row.artistName,
    thumbnailUrl: row.thumbnailUrl,
    durationMs: row.durationMs,
  },
  requestedBy: requesterOf(row, userId),
  requestedAt: row.requestedAt.toISOString(),
  votes: count?.votes ?? 0,
  hasVoted: count?.hasVoted ?? false,
  state: row.plannedAt === null ? row.state : 'planned',
  isPinned: row.pinnedAt !== null,
  expectedAt: row.plannedAt?.toISOString() ?? null,
  blockedBy: blockOf(row, isExcluded),
})

/** Why a request is passed over. One that is planned is on the air, until the scheduler has planned without it. */
function blockOf(row: RequestRow, isExcluded: boolean): ViewerRequest['blockedBy'] {
  if (row.plannedAt !== null) return null
  if (isExcluded) return { rule: EXCLUDED, until: null }
  if (row.blockedRule === null) return null
  return { rule: row.blockedRule, until: row.blockedUntil?.toISOString() ?? null }
}
