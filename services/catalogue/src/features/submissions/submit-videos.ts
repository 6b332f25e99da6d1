import { AppError } from '@looptide/service-kit/errors'
import { appendEvents, type Cause } from '@looptide/service-kit/outbox'
import type { CatalogueTrx } from '../../db/schema.ts'
import { findNamed } from '../videos/new-videos.ts'
import { metadataRequests, submissionChanged } from '../videos/video-events.ts'
import { insertVideos, type NewVideo } from '../videos/video-repository.ts'
import type { ParsedLine } from '../videos/video-url.ts'
import {
  countSubmitted,
  countWaiting,
  holdSubmissions,
  insertSubmissions,
  insertSubmitter,
  lockSubmitter,
} from './submission-repository.ts'

export interface SubmissionLimits {
  /** Videos one person submits in an hour. */
  perHour: number
  /** Videos of one person that wait for a decision. */
  waiting: number
}

const HOUR_MS = 3_600_000

/**
 * Submits `wanted`, the videos that `parsed` names, for review. What others submitted before gets one more submitter;
 * what was rejected stays so. Answers the ids of those this person had not submitted before.
 */
export async function submitVideos(
  trx: CatalogueTrx,
  { wanted, parsed }: { wanted: readonly NewVideo[]; parsed: readonly ParsedLine[] },
  userId: string,
  { limits, nowMs }: { limits: SubmissionLimits; nowMs: number },
  cause: Cause,
): Promise<string[]> {
  await lockSubmitter(trx, userId)
  const known = await findNamed(trx, parsed)
  // Before rows are inserted: an insert takes locks that a decision about one of these waits for.
  await holdSubmissions(
    trx,
    known.flatMap((row) => (row.reviewState === null ? [] : [row.id])),
  )
  const fresh =
    wanted.length === 0
      ? []
      : await insertVideos(
          trx,
          wanted.map((video) => ({ ...video, ...UNDER_REVIEW })),
        )
  await insertSubmissions(
    trx,
    fresh.map((row) => row.id),
  )
  const underReview = (await findNamed(trx, parsed)).filter((row) => row.reviewState !== null)
  const submitted = await insertSubmitter(
    trx,
    userId,
    underReview.map((row) => row.id),
  )
  if (submitted.length > 0) await checkLimits(trx, userId, limits, nowMs)
  await appendEvents(trx, [...metadataRequests(fresh, false), ...submitted.map(submissionChanged)], cause)
  return submitted
}

const UNDER_REVIEW = { isPublic: false, reviewState: 'submitted', category: null } as const

/** Counted with what the transaction has added, which a refusal takes back. */
async function checkLimits(
  trx: CatalogueTrx,
  userId: string,
  { perHour, waiting }: SubmissionLimits,
  nowMs: number,
): Promise<void> {
  if ((await countSubmitted(trx, userId, new Date(nowMs - HOUR_MS))) > perHour) {
    throw new AppError('rate_limited', 'Too many videos added. Please wait before adding more.', {
      retryAfterMs: HOUR_MS / 4,
    })
  }
  if ((await countWaiting(trx, userId)) > waiting) {
    throw new AppError(
      'unprocessable',
      `Up to ${waiting} of your videos can wait for review. Add more when some are decided.`,
    )
  }
}
