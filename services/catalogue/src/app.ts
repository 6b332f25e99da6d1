import { fileURLToPath } from 'node:url'
import { catalogueOperations } from '@looptide/contracts/operations/catalogue'
import type { EventHandlers } from '@looptide/service-kit/events/stream-consumer'
import { databaseService, type ServiceDeps } from '@looptide/service-kit/process/database-service'
import type { Route } from '@looptide/service-kit/routes/route'
import type { CatalogueConfig } from './config.ts'
import { onChannelDeleted } from './consumers/on-channel-deleted.ts'
import { onDurationLearned } from './consumers/on-duration-learned.ts'
import { onLikesChanged } from './consumers/on-likes-changed.ts'
import { onMediaProbed } from './consumers/on-media-probed.ts'
import { onPlaylistFailed } from './consumers/on-playlist-failed.ts'
import { onPlaylistRead } from './consumers/on-playlist-read.ts'
import { onQueueEmptied } from './consumers/on-queue-emptied.ts'
import { onUserDeleted } from './consumers/on-user-deleted.ts'
import { onUserRestricted } from './consumers/on-user-restricted.ts'
import { onUserUnrestricted } from './consumers/on-user-unrestricted.ts'
import { onVideoQuarantined } from './consumers/on-video-quarantined.ts'
import { onVideoResolved } from './consumers/on-video-resolved.ts'
import { onVideoUnavailable } from './consumers/on-video-unavailable.ts'
import { onVideosResolved } from './consumers/on-videos-resolved.ts'
import type { CatalogueTrx, Database } from './db/schema.ts'
import { tables } from './db/tables.ts'
import { DeletedVideoService, deletedVideoPruner } from './features/deleted-videos/deleted-video-service.ts'
import { deletedVideoRoutes } from './features/deleted-videos/routes.ts'
import { exportParts } from './features/export/export-parts.ts'
import { followedListTask } from './features/followed-lists/list-checks.ts'
import { ListService } from './features/followed-lists/list-service.ts'
import { followedListRoutes } from './features/followed-lists/routes.ts'
import { CurationService } from './features/home/curation-service.ts'
import { homeRoutes } from './features/home/routes.ts'
import { JobRunner } from './features/jobs/job-runner.ts'
import { JobService, jobPruner } from './features/jobs/job-service.ts'
import { jobRoutes } from './features/jobs/routes.ts'
import { reminderTask } from './features/metadata/reminder-task.ts'
import { PlaylistService } from './features/playlists/playlist-service.ts'
import { playlistRoutes } from './features/playlists/routes.ts'
import { searchRoutes } from './features/search/routes.ts'
import { rejectedVideoPruner } from './features/submissions/rejected-videos.ts'
import { submissionRoutes } from './features/submissions/routes.ts'
import { SubmissionService } from './features/submissions/submission-service.ts'
import { EditService } from './features/video-edits/edit-service.ts'
import { editRoutes } from './features/video-edits/routes.ts'
import { FilterService } from './features/video-filters/filter-service.ts'
import { filterRoutes } from './features/video-filters/routes.ts'
import { libraryRoutes, videoRoutes } from './features/videos/routes.ts'
import { VideoService } from './features/videos/video-service.ts'
import { viewMarkPruner } from './features/videos/view-service.ts'

export const migrationFolder = fileURLToPath(new URL('./db/migrations', import.meta.url))

const handlers = ({ followCheckMinutes }: CatalogueConfig): EventHandlers<CatalogueTrx> => ({
  'metadata.video.resolved.v1': onVideoResolved,
  'metadata.videos.resolved.v1': onVideosResolved,
  'metadata.video.unavailable.v1': onVideoUnavailable,
  'metadata.media.probed.v1': onMediaProbed,
  'metadata.playlist.read.v1': onPlaylistRead(followCheckMinutes),
  'metadata.playlist.failed.v1': onPlaylistFailed(followCheckMinutes),
  'metadata.queue.emptied.v1': onQueueEmptied,
  'auth.user.restricted.v1': onUserRestricted,
  'auth.user.unrestricted.v1': onUserUnrestricted,
  'auth.user.deleted.v1': onUserDeleted,
  'stream.channel.deleted.v1': onChannelDeleted,
  'stream.video.quarantined.v1': onVideoQuarantined,
  'stream.duration.learned.v1': onDurationLearned,
  'audience.likes.changed.v1': onLikesChanged,
})

function routes({ db, guard }: ServiceDeps<Database>, config: CatalogueConfig, runner: JobRunner): Route[] {
  const submissions = new SubmissionService(db)
  const deleted = new DeletedVideoService(db)
  const videos = new VideoService(db, { ...config, submissions, deleted })
  const edits = new EditService(db, config.imageOrigins)
  return [
    ...videoRoutes({ db, videos }),
    ...libraryRoutes({ db, videos, deleted, guard }),
    ...editRoutes({ db, edits }),
    ...jobRoutes({ db, guard, jobs: new JobService(db, () => runner.wake()) }),
    ...filterRoutes({ filters: new FilterService(db) }),
    ...deletedVideoRoutes({ deleted, guard }),
    ...followedListRoutes({ lists: new ListService(db) }),
    ...submissionRoutes({ submissions }),
    ...searchRoutes({ db }),
    ...homeRoutes({ db, curation: new CurationService(db) }),
    ...playlistRoutes({ playlists: new PlaylistService(db) }),
    ...exportParts.map((part) => part.route(db)),
  ]
}

const TASKS = [
  viewMarkPruner,
  reminderTask,
  rejectedVideoPruner,
  jobPruner,
  deletedVideoPruner,
  followedListTask,
]

/** The catalogue service: videos, submissions and their review, followed lists, search, home page curation, personal playlists. */
export const catalogueService = (config: CatalogueConfig) =>
  databaseService<Database>({
    name: 'catalogue',
    operations: catalogueOperations,
    config,
    tables,
    build: (deps) => {
      const runner = new JobRunner(deps)
      return {
        routes: routes(deps, config, runner),
        handlers: handlers(config),
        background: [runner],
        tasks: TASKS.map((task) => task(deps.db, deps.logger)),
      }
    },
  })
