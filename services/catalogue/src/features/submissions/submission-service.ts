import type {
  AcceptSubmissionsBody,
  OwnSubmission,
  RejectSubmissionsBody,
  Submission,
} from '@looptide/contracts/http/submissions'
import { auditEvent } from '@looptide/service-kit/audit/audit'
import { appendEvents, type Cause, type NewEvent } from '@looptide/service-kit/events/outbox'
import { AppError } from '@looptide/service-kit/http/errors'
import type {
  CatalogueDb,
  CatalogueTrx,
  SubmissionRow,
  SubmissionStateName,
  VideoRow,
} from '../../db/schema.ts'
import { cleanLinesOrNull } from '../videos/clean-text.ts'
import { presentVideo } from '../videos/present-video.ts'
import { type GivenValues, replaceSubmitted } from '../videos/submitted-video-repository.ts'
import { AUDIT, addedEvents, HOME_CHANGED, metadataRequests } from '../videos/video-events.ts'
import { lockBulkChanges } from '../videos/video-repository.ts'
import { listOwnSubmissions, type OwnSubmissionEntry } from './own-submission-repository.ts'
import { publishVideos, rejectVideos } from './reviewed-video-repository.ts'
import {
  countSubmissions,
  decideSubmissions,
  listSubmissions,
  lockSubmissions,
  type SubmissionEntry,
  statesOf,
  submittersOf,
} from './submission-repository.ts'

/** The total of a list is counted up to this. */
const MAX_COUNTED = 1000
const REASON_LENGTH = 500
const SUBMITTERS_PER_EVENT = 100

/** Lists and decides videos under review. Audits every decision and notifies the submitters. */
export class SubmissionService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  /** One page and one extra row, and the total up to {@link MAX_COUNTED}. */
  async list(
    state: SubmissionStateName,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ entries: SubmissionEntry[]; total: number }> {
    const [entries, total] = await Promise.all([
      listSubmissions(this.#db, state, limit, cursor),
      countSubmissions(this.#db, state, MAX_COUNTED),
    ])
    return { entries, total }
  }

  /** One page and one extra row of what the user submitted, latest first. */
  listOwn(userId: string, limit: number, cursor: string | undefined): Promise<OwnSubmissionEntry[]> {
    return listOwnSubmissions(this.#db, userId, limit, cursor)
  }

  /**
   * Accepts submitted or rejected videos into a category of the library. With `channelId`, asks the scheduler to append
   * them to that channel's playlist. Their values stay as they are, because the moderator has seen them; those in `given`
   * are replaced. Returns the ids of videos that were not accepted before. A video that was decided after the moderator saw
   * it, or after the request arrived, stays as it is: a concurrent rejection and acceptance exclude each other.
   */
  async accept(
    body: AcceptSubmissionsBody,
    cause: Cause,
    given: readonly GivenValues[] = [],
  ): Promise<string[]> {
    const seen = body.state === undefined ? await statesOf(this.#db, body.ids) : undefined
    return this.#db.transaction().execute(async (trx) => {
      await lockBulkChanges(trx)
      const { videoIds, events } = await acceptVideos(trx, { ...body, seen, given }, cause.actorId ?? null)
      await appendEvents(trx, events, cause)
      return videoIds
    })
  }

  /** Rejects undecided videos with a reason for their submitters. Returns the ids of the rejected videos. */
  async reject({ ids, reason }: RejectSubmissionsBody, cause: Cause): Promise<string[]> {
    const text = cleanLinesOrNull(reason, REASON_LENGTH)
    if (text === null) throw new AppError('validation_failed', 'Enter a reason.')
    return this.#db.transaction().execute(async (trx) => {
      const locked = await lockSubmissions(trx, ids, ['submitted'])
      if (locked.length === 0) return []
      const rows = sortByIds(await rejectVideos(trx, idsOf(locked), text), ids)
      const videoIds = rows.map((row) => row.id)
      await decideSubmissions(trx, videoIds, 'rejected', cause.actorId ?? null)
      await appendEvents(
        trx,
        [
          ...(await decidedEvents(trx, rows, 'rejected', text)),
          decisionAudit('video.reject', locked, rows, { state: 'rejected', reason: text }),
        ],
        cause,
      )
      return videoIds
    })
  }
}

interface Acceptance extends AcceptSubmissionsBody {
  /** The states in which the videos were seen, if `state` is not given. */
  seen: ReadonlyMap<string, SubmissionStateName> | undefined
  given: readonly GivenValues[]
}

/** {@link SubmissionService.accept} in a transaction that has locked bulk changes. Returns the ids, and the events to append. */
export async function acceptVideos(
  trx: CatalogueTrx,
  { ids, category, channelId, state, seen, given }: Acceptance,
  actorId: string | null,
): Promise<{ videoIds: string[]; events: NewEvent[] }> {
  const locked = (await lockSubmissions(trx, ids, ['submitted', 'rejected'])).filter(
    (row) => row.state === (seen === undefined ? state : seen.get(row.videoId)),
  )
  if (locked.length === 0) return { videoIds: [], events: [] }
  const lockedIds = idsOf(locked)
  const ofLocked = given.filter(({ videoId }) => lockedIds.includes(videoId))
  const pending = await replaceSubmitted(trx, ofLocked)
  const rows = sortByIds(await publishVideos(trx, lockedIds, category), ids)
  const videoIds = rows.map((row) => row.id)
  await decideSubmissions(trx, videoIds, 'accepted', actorId)
  const after = { state: 'accepted', category, ...(channelId === undefined ? {} : { channelId }) }
  const events = [
    ...addedEvents(rows),
    ...metadataRequests(pending, false),
    ...(channelId === undefined ? [] : [airingRequested(channelId, videoIds)]),
    HOME_CHANGED,
    ...(await decidedEvents(trx, rows, 'accepted', null)),
    decisionAudit('video.accept', locked, rows, after),
  ]
  return { videoIds, events }
}

const idsOf = (submissions: readonly { videoId: string }[]): string[] =>
  submissions.map(({ videoId }) => videoId)

/** Sorts rows by the order of the requested ids, which becomes their order in a channel's playlist. */
const sortByIds = (rows: readonly VideoRow[], ids: readonly string[]): VideoRow[] =>
  rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))

/** The audit event of a decision: the videos, and their state before and after it. */
function decisionAudit(
  action: 'video.accept' | 'video.reject',
  submissions: readonly SubmissionRow[],
  rows: readonly VideoRow[],
  after: object,
) {
  const before = { state: [...new Set(submissions.map(({ state }) => state))].join(', ') }
  const details = { videos: rows.map(({ id, title, videoUrl }) => ({ id, title, videoUrl })) }
  return auditEvent(AUDIT, { action, targetType: 'video', targetId: rows[0]?.id, before, after, details })
}

const airingRequested = (channelId: string, videoIds: string[]) => ({
  type: 'catalogue.airing.requested.v1' as const,
  aggregateId: channelId,
  data: { channelId, videoIds },
})

async function decidedEvents(
  trx: CatalogueTrx,
  rows: readonly VideoRow[],
  state: 'accepted' | 'rejected',
  reason: string | null,
): Promise<NewEvent<'catalogue.submission.decided.v1'>[]> {
  const ids = rows.map((row) => row.id)
  const submittersById = await submittersOf(trx, ids)
  return ids.flatMap((videoId) => {
    const all = submittersById.get(videoId) ?? []
    const chunks = Array.from({ length: Math.max(1, Math.ceil(all.length / SUBMITTERS_PER_EVENT)) }, (_, n) =>
      all.slice(n * SUBMITTERS_PER_EVENT, (n + 1) * SUBMITTERS_PER_EVENT),
    )
    return chunks.map((submitters) => ({
      type: 'catalogue.submission.decided.v1' as const,
      aggregateId: videoId,
      data: { videoId, state, reason, submitters },
    }))
  })
}

/** The API representation of a submission for one of its submitters. */
export const presentOwnSubmission = ({
  video,
  state,
  submittedAt,
  decidedAt,
}: OwnSubmissionEntry): OwnSubmission => ({
  video: presentVideo(video),
  state,
  submittedAt: submittedAt.toISOString(),
  decidedAt: decidedAt?.toISOString() ?? null,
  reason: video.reviewReason,
})

/** The API representation of a submission for moderators. */
export const presentSubmission = ({
  submission,
  video,
  submittedBy,
  submitterCount,
}: SubmissionEntry): Submission => ({
  video: presentVideo(video),
  state: submission.state,
  submittedBy,
  submitterCount,
  followedList: submission.followedList,
  submittedAt: submission.submittedAt.toISOString(),
  decidedBy: submission.decidedBy,
  decidedAt: submission.decidedAt?.toISOString() ?? null,
  reason: video.reviewReason,
})
