import { type SqlBool, sql } from 'kysely'
import type { Queries, SubmissionStateName, VideoRow } from '../../db/schema.ts'
import { timeAndId } from '../shared/cursor-keys.ts'

/** A video that a user submitted, with the time of that and the decision. */
export interface OwnSubmissionEntry {
  video: VideoRow
  state: SubmissionStateName
  submittedAt: Date
  decidedAt: Date | null
}

/** One page and one extra row of what a user submitted, latest first. The cursor is {@link ownSubmissionCursor}. */
export async function listOwnSubmissions(
  db: Queries,
  userId: string,
  limit: number,
  cursor: string | undefined,
): Promise<OwnSubmissionEntry[]> {
  let query = db
    .selectFrom('submitters as own')
    .innerJoin('submissions as submission', 'submission.videoId', 'own.videoId')
    .select(['own.videoId', 'own.submittedAt', 'submission.state', 'submission.decidedAt'])
    .where('own.userId', '=', userId)
    .orderBy('own.submittedAt', 'desc')
    .orderBy('own.videoId', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const { at, id } = timeAndId(cursor)
    query = query.where(sql<SqlBool>`(own.submitted_at, own.video_id) < (${at}, ${id}::uuid)`)
  }
  const entries = await query.execute()
  if (entries.length === 0) return []
  const ids = entries.map((entry) => entry.videoId)
  const videos = await db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const videoOf = new Map(videos.map((row) => [row.id, row]))
  return entries.flatMap(({ videoId, ...entry }) => {
    const video = videoOf.get(videoId)
    return video === undefined ? [] : [{ ...entry, video }]
  })
}

/** The sort key of an entry, for the cursor. */
export const ownSubmissionCursor = ({ submittedAt, video }: OwnSubmissionEntry): [number, string] => [
  submittedAt.getTime(),
  video.id,
]
