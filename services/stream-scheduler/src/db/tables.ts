import type { Tables } from '@looptide/service-kit/db/tables'
import type { Database, NotedColumns } from './schema.ts'

const CHANNELS = 'grows with the number of channels; rows are deleted with their channel'
const STAFF = {
  exported: { not: 'who of the staff did it: a record of the station' },
  onDeletion: { stays: 'history: stays after the account is deleted' },
} as const
const AIRED = { mayBeGone: 'the air log keeps what was on the air' } as const

/** SQL of an instant that is stored in epoch ms. */
const instant = <Column extends string>(column: Column) => `to_timestamp(${column} / 1000.0)` as const

/** The scheduler's tables: what limits their rows, and what their columns with ids mean. */
export const tables = {
  videos: {
    bound: { at: 'removed_at', hours: 8 * 24 },
    columns: {
      id: { names: 'catalogue.videos', when: 't.removed_at is null' },
      youtubeId: { mayBeGone: 'is an id of YouTube' },
      quarantineChannelId: { names: 'scheduler.channels' },
    },
  },
  channels: {
    bound: 'created by admins',
    columns: { leader: { names: 'scheduler.replicas' }, createdBy: STAFF },
  },
  channelPlaylists: {
    bound: CHANNELS,
    columns: {
      videoId: {
        orphan:
          'not exists (select from scheduler.videos v where v.id = t.video_id and v.removed_at is null)',
      },
      createdBy: STAFF,
    },
  },
  removedPlaylistItems: {
    bound: { at: 'removed_at', hours: 31 * 24 },
    columns: {
      videoId: { mayBeGone: 'is the place of the video before it was deleted' },
      createdBy: STAFF,
    },
  },
  programmes: {
    bound: { at: instant('ends_at_ms'), hours: 3 },
    columns: { itemId: { mayBeGone: 'the item may have left the playlist since' } },
  },
  airLog: {
    bound: { at: instant('started_at_ms'), setting: 'AIR_LOG_DAYS' },
    columns: { itemId: AIRED, videoId: AIRED },
  },
  lastAirings: { bound: 'one per video and channel; deleted with either' },
  timelineChanges: {
    bound: 'kept for 30 days; the newest per channel is never deleted',
    columns: { actorId: STAFF },
  },
  scheduleDrafts: { bound: CHANNELS, columns: { savedBy: STAFF, submittedBy: STAFF, sentBackBy: STAFF } },
  scheduleVersions: { bound: 'the newest 500 per channel', columns: { publishedBy: STAFF } },
  scheduleStates: { bound: CHANNELS },
  logEdits: {
    bound: { at: instant('ends_at_ms'), hours: 1 },
    columns: { videoId: { mayBeGone: 'the video may have been deleted since' }, createdBy: STAFF },
  },
  takeovers: { bound: CHANNELS, columns: { startedBy: STAFF } },
  requestPlans: { bound: CHANNELS },
  requestQueues: {
    bound: 'per channel: the queue in use, the newest complete one, and what has arrived of a newer one',
  },
  staleChannels: { bound: { at: 'since', hours: 0 } },
  playbackReports: { bound: { at: 'reported_at', hours: 7 * 24 } },
  replicas: { bound: 'one per process; those of ended processes are deleted after a (real) hour' },
  backfills: { bound: 'one per list that was read completely once' },
  firstStartSteps: { bound: 'one per demo channel' },
  loops: { bound: 'not used any more; dropped in a later release' },
} as const satisfies Tables<Database, NotedColumns>
