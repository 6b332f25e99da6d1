import { JOB_HOURS } from '@looptide/contracts/http/video-jobs'
import type { Tables } from '@looptide/service-kit/db/tables'
import type { Database, NotedColumns } from './schema.ts'

const PEOPLE = 'grows with the number of accounts; rows are deleted with their account'
const LIBRARY = 'grows with the library'
const OUTSIDE = { mayBeGone: 'is an id of YouTube' } as const
const STAFF = {
  exported: { not: 'who of the staff did it: a record of the station' },
  onDeletion: { stays: 'history: stays after the account is deleted' },
} as const

/** The catalogue's tables: what limits their rows, and what their columns with ids mean. */
export const tables = {
  youtubePlaylists: {
    bound: `${PEOPLE}; a deleted one is deactivated and kept (docs/product/admin.md §4)`,
    columns: { userId: { exported: 'GET /api/export/playlists', onDeletion: { hook: 'playlists' } } },
  },
  youtubePlaylistItems: {
    bound: PEOPLE,
    columns: { addedBy: { exported: 'GET /api/export/playlists', onDeletion: { hook: 'playlists' } } },
  },
  deletedPlaylistItems: {
    bound: 'deleted with the deleted video, after 30 days',
    columns: {
      addedBy: {
        exported: { not: 'places of videos that an admin has deleted, for 30 days' },
        onDeletion: { hook: 'playlists' },
      },
    },
  },
  viewMarks: {
    bound: { at: 'counted_at', hours: 0 },
    columns: {
      viewerId: { exported: { not: 'is gone within days' }, onDeletion: 'delete', key: 'videoId' },
    },
  },
  restrictedUsers: {
    bound: PEOPLE,
    columns: {
      userId: {
        exported: { not: 'a copy of what auth exports' },
        onDeletion: 'delete',
        key: 'restrictionId',
      },
      restrictionId: { names: 'auth.user_restrictions' },
    },
  },
  submitters: {
    bound: `${PEOPLE}; a user submits a limited number per hour`,
    columns: { userId: { exported: 'GET /api/export/videos', onDeletion: { hook: 'submissions' } } },
  },
  submissions: {
    bound: 'one per submitted video; a rejected one in no playlist is deleted 30 days after the decision',
    columns: { decidedBy: { exported: STAFF.exported, onDeletion: 'clear', key: 'videoId' } },
  },
  videos: {
    bound: 'is the library',
    columns: { userId: { exported: 'GET /api/export/videos', onDeletion: 'clear' }, youtubeId: OUTSIDE },
  },
  deletedVideos: {
    bound: { at: 'deleted_at', hours: 30 * 24 },
    columns: {
      userId: {
        exported: { not: 'public videos that an admin has deleted, for 30 days' },
        onDeletion: 'clear',
      },
      youtubeId: OUTSIDE,
      jobId: { mayBeGone: 'the job is deleted JOB_HOURS after its end' },
    },
  },
  deletedCuration: {
    bound: 'deleted with the deleted video, after 30 days',
    columns: { createdBy: STAFF },
  },
  homeScreenCuration: { bound: 'edited by admins', columns: { createdBy: STAFF } },
  videoFilters: { bound: 'at most MAX_SAVED_FILTERS, saved by admins', columns: { createdBy: STAFF } },
  followedLists: {
    bound: 'at most MAX_FOLLOWED_LISTS, followed by admins',
    columns: { playlistId: OUTSIDE, createdBy: STAFF },
  },
  followedItems: {
    bound: 'at most 20,000 per followed list; deleted with it',
    columns: { youtubeId: OUTSIDE },
  },
  videoEdits: {
    bound: 'one per video that a job has edited; deleted with the job',
    columns: { editId: { mayBeGone: 'of an edit of the previous release, which had no jobs' } },
  },
  videoJobs: {
    bound: { at: 'finished_at', hours: JOB_HOURS },
    columns: {
      createdBy: STAFF,
      cancelledBy: STAFF,
      correlationId: { mayBeGone: 'is the id of a request' },
    },
  },
  videoReports: {
    bound: `${LIBRARY} and the number of channels`,
    columns: { channelId: { names: 'scheduler.channels' } },
  },
  videoDocuments: { bound: LIBRARY, columns: { partitionId: { names: 'catalogue.search_partitions' } } },
  searchPartitions: { bound: `${LIBRARY}: one per 16,384 videos` },
  artists: { bound: 'one per artist that ever had a video' },
  videoTotals: { bound: 'one per category' },
  metadataReminders: { bound: 'one per video without metadata or duration' },
  firstStartSteps: { bound: 'one row' },
} as const satisfies Tables<Database, NotedColumns>
