import type { Db } from '@looptide/service-kit/db/db'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import type { Database } from '../../db/schema.ts'
import { FIRST_ID } from './export-playlists.ts'

const PAGE_SIZE = 1000

/** One page of the videos that a user added or submitted, and one more row if there is a next page. */
export const videosOf = (db: Db<Database>, userId: string, afterId: string) =>
  db
    .selectFrom('videos as video')
    .leftJoin('submissions as submission', 'submission.videoId', 'video.id')
    .leftJoin('submitters as submitter', (join) =>
      join.onRef('submitter.videoId', '=', 'video.id').on('submitter.userId', '=', userId),
    )
    .select([
      'video.id as videoId',
      'video.title',
      'video.artistName',
      'video.videoUrl as url',
      'submitter.submittedAt',
      'submission.state',
      'video.reviewReason as reason',
    ])
    .where('video.id', 'in', (eb) =>
      eb
        .selectFrom('videos as added')
        .select('added.id')
        .where('added.userId', '=', userId)
        .where('added.id', '>', afterId)
        .union(
          eb
            .selectFrom('submitters as own')
            .select('own.videoId as id')
            .where('own.userId', '=', userId)
            .where('own.videoId', '>', afterId),
        ),
    )
    .orderBy('video.id')
    .limit(PAGE_SIZE + 1)
    .execute()

/** One page of the videos that a user added or submitted. Errors: `invalid_cursor`. */
export async function readVideosOfUser(db: Db<Database>, userId: string, cursor?: string) {
  const [afterId] = cursor === undefined ? [FIRST_ID] : decodeCursor(cursor, ['string'])
  return toPage(
    await videosOf(db, userId, afterId),
    PAGE_SIZE,
    ({ submittedAt, ...row }) => ({ ...row, submittedAt: submittedAt?.toISOString() ?? null }),
    ({ videoId }) => [videoId],
  )
}
