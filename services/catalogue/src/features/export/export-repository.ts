import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../db/schema.ts'

/** Playlists of a page. Each has at most 1,000 entries. */
export const PLAYLISTS_PER_PAGE = 20
/** Videos of a page. */
export const VIDEOS_PER_PAGE = 1000

/** One page of playlists, and one more if there is a next page. */
export const playlistsOf = (db: Db<Database>, userId: string, afterId: string) =>
  db
    .selectFrom('youtubePlaylists')
    .select(['id', 'name', 'description', 'isPublic', 'isActive', 'createdAt'])
    .where('userId', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(PLAYLISTS_PER_PAGE + 1)
    .execute()

/** The entries of several playlists, in their order. */
export const entriesOf = (db: Db<Database>, playlistIds: readonly string[]) =>
  db
    .selectFrom('youtubePlaylistItems as item')
    .innerJoin('videos as video', 'video.id', 'item.videoId')
    .select([
      'item.playlistId',
      'video.id as videoId',
      'video.title',
      'video.artistName',
      'video.videoUrl as url',
    ])
    .where('item.playlistId', 'in', playlistIds)
    .orderBy('item.playlistId')
    .orderBy('item.position')
    .orderBy('item.id')
    .execute()

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
    .limit(VIDEOS_PER_PAGE + 1)
    .execute()
