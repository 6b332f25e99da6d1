import type { StreamStatus } from '@looptide/contracts/http/channels'
import type { ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { MetadataStatus } from '@looptide/contracts/http/videos'
import type { IdentKind, ScheduleDocument } from '@looptide/contracts/schedule'
import type { PlanState, ProgrammeReason } from '@looptide/planner/plan'
import type { Db } from '@looptide/service-kit/db/db'
import type { EventTables } from '@looptide/service-kit/events/event-tables'
import type { Generated, GeneratedAlways, JSONColumnType, Selectable, Transaction } from 'kysely'

interface VideosTable {
  id: string
  title: string
  artistName: string
  description: string | null
  genre: string | null
  category: string | null
  tags: Generated<string[]>
  /** As of the last change of the video: counting a view publishes no event. */
  viewCount: Generated<number>
  /** The length of the whole media. `playedMs` of packages/playhead, and `played_ms` in SQL, is the length that is played. */
  durationMs: number
  durationAssumed: boolean
  /** Trim points in ms of the media; null is its end. */
  startAtMs: Generated<number>
  endAtMs: Generated<number | null>
  thumbnailUrl: string | null
  videoUrl: string
  youtubeId: string | null
  isPublic: boolean
  metadataStatus: MetadataStatus
  createdAt: Date
  removedAt: Date | null
  quarantinedAt: Date | null
  quarantineReason: string | null
  quarantineChannelId: string | null
  version: Generated<number>
  eventVersion: Generated<number>
  playable: GeneratedAlways<boolean>
}

interface ChannelsTable {
  id: string
  name: string
  description: string | null
  position: number
  isActive: Generated<boolean>
  shuffleEnabled: Generated<boolean>
  status: Generated<StreamStatus>
  statusChangedAt: Generated<Date>
  timelineVersion: Generated<number>
  loopVersion: Generated<number>
  seed: string
  nextSeq: Generated<number>
  endsAtMs: number | null
  airedSeq: Generated<number>
  /** The published version of the schedule; 0: the channel repeats its playlist. */
  scheduleVersion: Generated<number>
  /** Number of problems that the schedule had when it was last planned. */
  scheduleProblems: Generated<number>
  leader: string | null
  createdBy: string | null
  createdAt: Generated<Date>
}

interface ProgrammesTable {
  channelId: string
  seq: number
  prevSeq: number | null
  /** The sequence number of the first programme of the cycle (one pass through the loop) that this one belongs to. */
  roundSeq: number
  kind: Generated<ProgrammeKind>
  /** Null for cards, which have no video. */
  itemId: string | null
  videoId: string | null
  videoVersion: number
  version: number
  startsAtMs: number
  endsAtMs: number
  /** Null for a programme of a loop. */
  reason: JSONColumnType<StoredReason> | null
}

type ProgrammeKind = 'video' | 'ident' | 'countdown'

/** Why a scheduled programme is on, with the version of the schedule that planned it. */
export interface StoredReason extends ProgrammeReason {
  version: number
  ident: IdentKind | null
  cut: boolean
}

interface ScheduleDraftsTable {
  channelId: string
  revision: number
  document: JSONColumnType<ScheduleDraftDocument>
  basedOnVersion: number
  savedAt: Generated<Date>
  savedBy: string | null
}

interface ScheduleVersionsTable {
  channelId: string
  version: number
  document: JSONColumnType<ScheduleDocument>
  publishedAt: Generated<Date>
  publishedBy: string | null
  restoredFrom: number | null
}

export interface TimelineChangesTable {
  channelId: string
  version: number
  kind: 'edit' | 'restart' | 'reset'
  actorId: string | null
  nextSeq: number
  changedAt: Generated<Date>
}

export interface Database extends EventTables {
  videos: VideosTable
  backfills: { name: string; completedAt: Generated<Date> }
  channels: ChannelsTable
  channelPlaylists: {
    id: string
    channelId: string
    videoId: string
    position: number
    createdBy: string | null
    createdAt: Generated<Date>
  }
  /** The playlist items of videos removed from the library, kept for 31 days so that a restored video returns. */
  removedPlaylistItems: {
    id: string
    channelId: string
    videoId: string
    position: number
    createdBy: string | null
    createdAt: Date
    removedAt: Generated<Date>
  }
  /** The cycle at the end of each timeline, see StoredCycle in timeline/timeline-repository.ts. */
  loops: { channelId: string; roundSeq: number; itemIds: string[]; nextPlace: number }
  staleChannels: { channelId: string; since: Generated<Date> }
  replicas: { id: string; seenAt: Date }
  programmes: ProgrammesTable
  scheduleDrafts: ScheduleDraftsTable
  scheduleVersions: ScheduleVersionsTable
  /** The planner's state before the programme `seq`, which starts at `startsAtMs`. A null state is the beginning. */
  scheduleStates: {
    channelId: string
    seq: number
    startsAtMs: number
    state: JSONColumnType<PlanState> | null
  }
  /** The last airing of each video on each channel. */
  lastAirings: { channelId: string; videoId: string; startedAtMs: number; endedAtMs: number }
  timelineChanges: TimelineChangesTable
  airLog: {
    channelId: string
    seq: number
    roundSeq: number
    itemId: string
    videoId: string
    title: string
    artistName: string
    startedAtMs: number
    endedAtMs: number
    reason: JSONColumnType<StoredReason> | null
  }
  playbackReports: {
    videoId: string
    kind: 'error' | 'duration'
    viewer: string
    channelId: string
    errorCode: number | null
    durationMs: number | null
    /** A keyed hash of the viewer's network; null in reports made before the column existed. */
    network: string | null
    reportedAt: Date
  }
}

export type Store = Db<Database>
export type Trx = Transaction<Database>
export type ChannelRow = Selectable<ChannelsTable>
export type ProgrammeRow = Selectable<ProgrammesTable>
export type VideoRow = Selectable<VideosTable>
