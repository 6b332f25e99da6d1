import type { Db } from '@looptide/service-kit/db/db'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import type { Database } from '../../db/schema.ts'
import { FIRST_ID, VIDEOS_PER_PAGE, videosOf } from './export-repository.ts'

/** One page of the videos that a user added or submitted. Errors: `invalid_cursor`. */
export async function readVideosOfUser(db: Db<Database>, userId: string, cursor?: string) {
  const [afterId] = cursor === undefined ? [FIRST_ID] : decodeCursor(cursor, ['string'])
  return toPage(
    await videosOf(db, userId, afterId),
    VIDEOS_PER_PAGE,
    ({ submittedAt, ...row }) => ({ ...row, submittedAt: submittedAt?.toISOString() ?? null }),
    ({ videoId }) => [videoId],
  )
}
