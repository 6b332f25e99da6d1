import { fileURLToPath } from 'node:url'
import type { EventHandlers } from '@looptide/service-kit/events/consumer'
import { databaseService, type ServiceDeps } from '@looptide/service-kit/process/database-service'
import type { RouteScopes } from '@looptide/service-kit/process/route-scopes'
import type { CatalogueConfig } from './config.ts'
import { onChannelDeleted } from './consumers/on-channel-deleted.ts'
import { onDurationLearned } from './consumers/on-duration-learned.ts'
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
import type { CatalogueTrx, Database } from './db/schema.ts'
import { DeletedVideoService, deletedVideoPruner } from './features/deleted-videos/deleted-video-service.ts'
import { deletedVideos, purgeVideos } from './features/deleted-videos/routes/deleted-videos.ts'
import { exportPlaylists } from './features/export/export-playlists.ts'
import { exportVideosOfUser } from './features/export/export-videos-of-user.ts'
import { followedListTask } from './features/followed-lists/list-checks.ts'
import { ListService } from './features/followed-lists/list-service.ts'
import { followedLists } from './features/followed-lists/routes/followed-lists.ts'
import { CurationService } from './features/home/curation-service.ts'
import { addCuration } from './features/home/routes/add-curation.ts'
import { listCuration } from './features/home/routes/list-curation.ts'
import { readHome } from './features/home/routes/read-home.ts'
import { removeCuration } from './features/home/routes/remove-curation.ts'
import { updateCuration } from './features/home/routes/update-curation.ts'
import { reminderTask } from './features/metadata/reminder-task.ts'
import { PlaylistService } from './features/playlists/playlist-service.ts'
import { addItem } from './features/playlists/routes/add-item.ts'
import { createPlaylist } from './features/playlists/routes/create-playlist.ts'
import { deletePlaylist } from './features/playlists/routes/delete-playlist.ts'
import { ensureVideo } from './features/playlists/routes/ensure-video.ts'
import { getPlaylist } from './features/playlists/routes/get-playlist.ts'
import { listEntries } from './features/playlists/routes/list-entries.ts'
import { listItems } from './features/playlists/routes/list-items.ts'
import { listPlaylists } from './features/playlists/routes/list-playlists.ts'
import { removeItem } from './features/playlists/routes/remove-item.ts'
import { reorderItems } from './features/playlists/routes/reorder-items.ts'
import { updatePlaylist } from './features/playlists/routes/update-playlist.ts'
import { search } from './features/search/routes/search.ts'
import { rejectedVideoPruner } from './features/submissions/rejected-videos.ts'
import { acceptSubmissions } from './features/submissions/routes/accept-submissions.ts'
import { listSubmissions } from './features/submissions/routes/list-submissions.ts'
import { rejectSubmissions } from './features/submissions/routes/reject-submissions.ts'
import { SubmissionService } from './features/submissions/submission-service.ts'
import { BulkEditService, editPruner } from './features/video-edits/bulk-edit-service.ts'
import { EditService } from './features/video-edits/edit-service.ts'
import { editVideo } from './features/video-edits/routes/edit-video.ts'
import { editVideos } from './features/video-edits/routes/edit-videos.ts'
import { FilterService } from './features/video-filters/filter-service.ts'
import { savedFilters } from './features/video-filters/routes/saved-filters.ts'
import { addVideos } from './features/videos/routes/add-videos.ts'
import { countView } from './features/videos/routes/count-view.ts'
import { deleteVideos } from './features/videos/routes/delete-videos.ts'
import { exportVideos } from './features/videos/routes/export-videos.ts'
import { getVideo } from './features/videos/routes/get-video.ts'
import { importVideos } from './features/videos/routes/import-videos.ts'
import { listAllInternally } from './features/videos/routes/list-all-internally.ts'
import { listTags } from './features/videos/routes/list-tags.ts'
import { listVideoIds } from './features/videos/routes/list-video-ids.ts'
import { listVideos } from './features/videos/routes/list-videos.ts'
import { lookUpVideos } from './features/videos/routes/look-up-videos.ts'
import { moveVideos } from './features/videos/routes/move-videos.ts'
import { updateMetadata } from './features/videos/routes/update-metadata.ts'
import { VideoService } from './features/videos/video-service.ts'
import { viewMarkPruner } from './features/videos/view-service.ts'

export const migrationFolder = fileURLToPath(new URL('./db/migrations', import.meta.url))

const handlers = ({ followCheckMinutes }: CatalogueConfig): EventHandlers<CatalogueTrx> => ({
  'metadata.video.resolved.v1': onVideoResolved,
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
})

function routes({ db, guard }: ServiceDeps<Database>, config: CatalogueConfig): RouteScopes {
  const submissions = new SubmissionService(db)
  const deleted = new DeletedVideoService(db)
  const videos = new VideoService(db, { ...config, submissions, deleted })
  const curation = new CurationService(db)
  const playlists = new PlaylistService(db)
  return {
    anyone: async (app) => {
      // With private videos for those who edit the library only.
      await app.register(listVideos, { db })
      await app.register(getVideo, { db })
      await app.register(lookUpVideos, { db })
      await app.register(search, { db })
      await app.register(readHome, { db })
      // Private playlists for their owners only.
      await app.register(listPlaylists, { playlists })
      await app.register(getPlaylist, { playlists })
      await app.register(listItems, { playlists })
    },
    user: async (app) => {
      await app.register(addVideos, { videos })
      await app.register(countView, { db })
      await app.register(exportPlaylists, { db })
      await app.register(exportVideosOfUser, { db })
      const playlistRoutes = [createPlaylist, updatePlaylist, deletePlaylist, listEntries]
      const itemRoutes = [addItem, ensureVideo, removeItem, reorderItems]
      for (const route of [...playlistRoutes, ...itemRoutes]) await app.register(route, { playlists })
    },
    'submissions:review': async (app) => {
      const submissionRoutes = [listSubmissions, acceptSubmissions, rejectSubmissions]
      for (const route of submissionRoutes) await app.register(route, { submissions })
    },
    'videos:edit': async (app) => {
      await app.register(importVideos, { videos })
      await app.register(listVideoIds, { db })
      await app.register(listTags, { db })
      await app.register(savedFilters, { filters: new FilterService(db) })
      await app.register(followedLists, { lists: new ListService(db) })
      await app.register(editVideo, { edits: new EditService(db, config.imageOrigins) })
      await app.register(editVideos, { bulkEdits: new BulkEditService(db) })
      await app.register(deletedVideos, { deleted })
      await app.register(deleteVideos, { deleted, guard })
      await app.register(moveVideos, { videos })
      await app.register(updateMetadata, { videos })
    },
    'videos:export': async (app) => {
      await app.register(exportVideos, { db, videos })
    },
    'home:edit': async (app) => {
      const curationRoutes = [listCuration, addCuration, updateCuration, removeCuration]
      for (const route of curationRoutes) await app.register(route, { curation })
    },
    'videos:purge': async (app) => {
      await app.register(purgeVideos, { deleted, guard })
    },
    internal: async (app) => {
      await app.register(listAllInternally, { db })
    },
  }
}

const TASKS = [
  viewMarkPruner,
  reminderTask,
  rejectedVideoPruner,
  editPruner,
  deletedVideoPruner,
  followedListTask,
]

/** The catalogue service: videos, submissions and their review, followed lists, search, home page curation, personal playlists. */
export const catalogueService = (config: CatalogueConfig) =>
  databaseService<Database>({
    name: 'catalogue',
    config,
    build: (deps) => ({
      routes: [],
      scopes: routes(deps, config),
      handlers: handlers(config),
      background: TASKS.map((task) => task(deps.db, deps.logger)),
    }),
  })
