import type {
  AcceptSubmissionsBody,
  RejectSubmissionsBody,
  Submission,
} from '@looptide/contracts/http/submissions'
import { auditEvent } from '@looptide/service-kit/audit'
import { AppError } from '@looptide/service-kit/errors'
import { appendEvents, type Cause, type NewEvent } from '@looptide/service-kit/outbox'
import type {
  CatalogueDb,
  CatalogueTrx,
  SubmissionRow,
  SubmissionStateName,
  VideoRow,
} from '../../db/schema.ts'
import { cleanText } from '../videos/clean-text.ts'
import { presentVideo } from '../videos/present-video.ts'
import { AUDIT, addedEvents, HOME_CHANGED } from '../videos/video-events.ts'
import { queueBulkChange } from '../videos/video-repository.ts'
import { publishVideos, refuseVideos } from './reviewed-videos.ts'
import {
  countSubmissions,
  decideSubmissions,
  listSubmissions,
  lockSubmissions,
  type SubmissionEntry,
  submittersOf,
} from './submission-repository.ts'

/** Lists are counted up to this. */
const MOST_COUNTED = 1000
const REASON_LENGTH = 500
const SUBMITTERS_PER_EVENT = 100

/** Videos under review: moderators list and decide them. Every decision is audited, and its submitters notified. */
export class SubmissionService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  /** One page and one row more, and how many there are, up to 1,000. */
  async list(
    state: SubmissionStateName,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ entries: SubmissionEntry[]; total: number }> {
    const [entries, total] = await Promise.all([
      listSubmissions(this.#db, state, limit, cursor),
      countSubmissions(this.#db, state, MOST_COUNTED),
    ])
    return { entries, total }
  }

  /**
   * Puts submitted or rejected videos into a category of the library and, with `channelId`, asks the scheduler to put
   * them at the end of that channel's playlist. Answers the ids of those that were not accepted before.
   */
  async accept({ ids, category, channelId }: AcceptSubmissionsBody, cause: Cause): Promise<string[]> {
    return this.#db.transaction().execute(async (trx) => {
      await queueBulkChange(trx)
      const locked = await lockSubmissions(trx, ids, ['submitted', 'rejected'])
      if (locked.length === 0) return []
      const rows = inOrder(await publishVideos(trx, idsOf(locked), category), ids)
      const videoIds = rows.map((row) => row.id)
      await decideSubmissions(trx, videoIds, 'accepted', cause.actorId ?? null)
      const after = { state: 'accepted', category, ...(channelId === undefined ? {} : { channelId }) }
      await appendEvents(
        trx,
        [
          ...addedEvents(rows),
          ...(channelId === undefined ? [] : [airingRequested(channelId, videoIds)]),
          HOME_CHANGED,
          ...(await decidedEvents(trx, rows, 'accepted', null)),
          auditOf('video.accept', locked, rows, after),
        ],
        cause,
      )
      return videoIds
    })
  }

  /** Rejects submitted videos; their submitters see the reason. Answers the ids of those that were waiting. */
  async reject({ ids, reason }: RejectSubmissionsBody, cause: Cause): Promise<string[]> {
    const text = cleanText(reason, REASON_LENGTH)
    if (text === '') throw new AppError('validation_failed', 'Give a reason.')
    return this.#db.transaction().execute(async (trx) => {
      const locked = await lockSubmissions(trx, ids, ['submitted'])
      if (locked.length === 0) return []
      const rows = inOrder(await refuseVideos(trx, idsOf(locked), text), ids)
      const videoIds = rows.map((row) => row.id)
      await decideSubmissions(trx, videoIds, 'rejected', cause.actorId ?? null)
      await appendEvents(
        trx,
        [
          ...(await decidedEvents(trx, rows, 'rejected', text)),
          auditOf('video.reject', locked, rows, { state: 'rejected', reason: text }),
        ],
        cause,
      )
      return videoIds
    })
  }
}

const idsOf = (submissions: readonly { videoId: string }[]): string[] =>
  submissions.map(({ videoId }) => videoId)

/** In the order asked for, which is the order on a channel's playlist. */
const inOrder = (rows: readonly VideoRow[], ids: readonly string[]): VideoRow[] =>
  rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))

/** For the audit log: the state before and after the decision, and which videos it was about. */
function auditOf(
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

/** An entry as moderators see it. */
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
  submittedAt: submission.submittedAt.toISOString(),
  decidedBy: submission.decidedBy,
  decidedAt: submission.decidedAt?.toISOString() ?? null,
  reason: video.reviewReason,
})
