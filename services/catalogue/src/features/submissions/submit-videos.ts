import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError } from '@looptide/service-kit/http/errors'
import type { CatalogueTrx } from '../../db/schema.ts'
import { findByLines } from '../videos/new-videos.ts'
import { metadataRequests, submissionChanged, submissionReceived } from '../videos/video-events.ts'
import { insertVideos, type NewVideo } from '../videos/video-repository.ts'
import type { ParsedLine } from '../videos/video-url.ts'
import {
  countSubmitted,
  countUndecided,
  insertSubmissions,
  insertSubmitter,
  lockSubmitter,
  shareLockSubmissions,
} from './submission-repository.ts'

export interface SubmissionLimits {
  /** Maximum videos that one user submits in an hour. */
  perHour: number
  /** Maximum videos of one user that await a decision. */
  undecided: number
}

const HOUR_MS = 3_600_000

/**
 * Submits `candidates`, the videos of the lines `parsed`, for review. A video that others submitted before gets another
 * submitter; a rejected video stays rejected. Returns the ids of the videos that the user had not submitted before.
 */
export async function submitVideos(
  trx: CatalogueTrx,
  { candidates, parsed }: { candidates: readonly NewVideo[]; parsed: readonly ParsedLine[] },
  userId: string,
  { limits, nowMs }: { limits: SubmissionLimits; nowMs: number },
  cause: Cause,
): Promise<string[]> {
  await lockSubmitter(trx, userId)
  const existing = await findByLines(trx, parsed)
  // Locked before the insert: the insert takes locks for which a concurrent decision about these videos may wait.
  await shareLockSubmissions(
    trx,
    existing.flatMap((row) => (row.reviewState === null ? [] : [row.id])),
  )
  const inserted =
    candidates.length === 0
      ? []
      : await insertVideos(
          trx,
          candidates.map((video) => ({ ...video, ...UNDER_REVIEW })),
        )
  await insertSubmissions(
    trx,
    inserted.map((row) => row.id),
  )
  const underReview = (await findByLines(trx, parsed)).filter((row) => row.reviewState !== null)
  const submitted = await insertSubmitter(
    trx,
    userId,
    underReview.map((row) => row.id),
  )
  if (submitted.length > 0) await checkLimits(trx, userId, limits, nowMs)
  const submissions = submitted.flatMap((id) => [submissionChanged(id), submissionReceived(id)])
  await appendEvents(trx, [...metadataRequests(inserted, false), ...submissions], cause)
  return submitted
}

/** Columns of a video that waits for a decision. */
export const UNDER_REVIEW = { isPublic: false, reviewState: 'submitted', category: null } as const

/** Counts include the rows of this transaction, which an error rolls back. */
async function checkLimits(
  trx: CatalogueTrx,
  userId: string,
  { perHour, undecided }: SubmissionLimits,
  nowMs: number,
): Promise<void> {
  if ((await countSubmitted(trx, userId, new Date(nowMs - HOUR_MS))) > perHour) {
    throw new AppError('rate_limited', 'Too many videos added. Please wait before adding more.', {
      retryAfterMs: HOUR_MS / 4,
    })
  }
  if ((await countUndecided(trx, userId)) > undecided) {
    throw new AppError(
      'unprocessable',
      `Up to ${undecided} of your videos can await review. Add more after some have been reviewed.`,
    )
  }
}
