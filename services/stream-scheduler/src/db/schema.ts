import type { EventData } from '@looptide/contracts/events'
import type { RequestQueue } from '@looptide/contracts/events/audience'
import type { StreamStatus } from '@looptide/contracts/http/channels'
import type { LogAction } from '@looptide/contracts/http/log'
import type { ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { ReturnPolicy } from '@looptide/contracts/http/takeovers'
import type { MetadataStatus } from '@looptide/contracts/http/videos'
import type { IdentKind, RequestSlot, ScheduleDocument } from '@looptide/contracts/schedule'
import type { LogOperation } from '@looptide/planner/log-edits'
import type { PlanState, ProgrammeReason } from '@looptide/planner/plan'
import type { Db } from '@looptide/service-kit/db/db'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { Generated, GeneratedAlways, JSONColumnType, Selectable, Transaction } from 'kysely'

interface VideosTable {
  id: string
  title: string
  artistName: string
  description: string | null
  genre: string | null
  /** The length of the whole media. `playedMs` of packages/playhead, and `played_ms` in SQL, is the length that is played. */
  durationMs: number
  durationAssumed: boolean
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
  category: string | null
  tags: Generated<string[]>
  /** The number of views at the last change of the video: counting a view publishes no event. */
  viewCount: Generated<number>
  /** Trim points in ms of the media; null is its end. */
  startAtMs: Generated<number>
  endAtMs: number | null
  likeCount: Generated<number>
  likeVersion: Generated<number>
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
  leader: string | null
  createdBy: string | null
  createdAt: Generated<Date>
  /** The published version of the schedule; 0: the channel repeats its playlist. */
  scheduleVersion: Generated<number>
  /** Number of problems that the schedule had when it was last planned. */
  scheduleProblems: Generated<number>
  /** Checksum of the library and the playlists from which the schedule was last planned; null for a loop. */
  plannedChecksum: string | null
  /** Path of a picture that the station stores. */
  logoUrl: string | null
  /** The published schedule has slots for requests, or there is none and `requestEvery` is set. */
  takesRequests: Generated<boolean>
  /** How requests are chosen; null: not known. */
  requestSlots: RequestSlot[] | null
  /** Without a schedule, each programme with this number is a request, from 2; null: none is. */
  requestEvery: number | null
}

interface ProgrammesTable {
  channelId: string
  seq: number
  prevSeq: number | null
  /** `cycleSeq` everywhere else: the sequence number of the first programme of this one's cycle. */
  roundSeq: number
  /** Null for cards, which have no video. */
  itemId: string | null
  videoId: string | null
  videoVersion: number
  version: number
  startsAtMs: number
  endsAtMs: number
  kind: Generated<ProgrammeKind>
  /** Null for a programme of a loop. */
  reason: JSONColumnType<StoredReason> | null
  /** Position in the video at which the programme begins, in ms after its start trim point; negative if that was moved on the air. */
  offsetMs: Generated<number>
}

type ProgrammeKind = 'video' | 'ident' | 'countdown'

/** The origin of a scheduled programme, with the version of the schedule that planned it. */
export interface StoredReason extends ProgrammeReason {
  version: number
  ident: IdentKind | null
  /** The programme is cut short: it ends before its video. */
  cut: boolean
  /** Set for the programmes of a live takeover. `isLive`: the video is a live stream. */
  takeover?: { title: string; isLive: boolean }
  /** The rest of a video that a takeover interrupted. */
  isResumed?: true
}

interface ScheduleDraftsTable {
  channelId: string
  revision: number
  document: JSONColumnType<ScheduleDraftDocument>
  basedOnVersion: number
  savedAt: Generated<Date>
  savedBy: string | null
  submittedBy: string | null
  /** Null unless the draft waits for approval. */
  submittedAt: Date | null
  submissionNote: Generated<string>
  sentBackBy: string | null
  /** Null unless a submission of the draft was sent back, and the draft has not been submitted since. */
  sentBackAt: Date | null
  sentBackReason: Generated<string>
}

interface ScheduleVersionsTable {
  channelId: string
  version: number
  document: JSONColumnType<ScheduleDocument>
  publishedAt: Generated<Date>
  publishedBy: string | null
  restoredFrom: number | null
  note: Generated<string>
}

interface LogEditsTable {
  id: string
  channelId: string
  action: LogAction
  videoId: string
  /** When its programme was planned. */
  startsAtMs: number
  /** When it has no effect any more. */
  endsAtMs: number
  operations: JSONColumnType<LogOperation[]>
  createdBy: string | null
  createdAt: Generated<Date>
}

interface TakeoversTable {
  channelId: string
  id: string
  title: string
  items: JSONColumnType<TakeoverItem[]>
  isLive: boolean
  startsAtMs: number
  /** Null until it is stopped. */
  endsAtMs: number | null
  returnPolicy: ReturnPolicy
  /** Set in the transaction that plans the return and deletes the row. */
  isStopped: Generated<boolean>
  interrupted: JSONColumnType<Interrupted>
  startedBy: string | null
  /** When it was requested (epoch ms); it starts a little later. */
  startedAtMs: number
}

export interface TakeoverItem {
  itemId: string
  videoId: string
}

/** The programmes that a takeover has interrupted. */
export interface Interrupted {
  /** The programme on the air, with the end that it would have had. */
  programme: ProgrammeRow
  /** The items planned after it. */
  planned: { itemId: string | null }[]
}

export interface TimelineChangesTable {
  channelId: string
  version: number
  kind: 'edit' | 'restart' | 'reset' | 'takeover'
  actorId: string | null
  nextSeq: number
  changedAt: Generated<Date>
}

interface BackfillsTable {
  name: string
  completedAt: Generated<Date>
}

interface ChannelPlaylistsTable {
  id: string
  channelId: string
  videoId: string
  position: number
  createdBy: string | null
  createdAt: Generated<Date>
}

/** The playlist items of videos removed from the library, kept for 31 days so that a restored video returns. */
interface RemovedPlaylistItemsTable {
  id: string
  channelId: string
  videoId: string
  position: number
  createdBy: string | null
  createdAt: Date
  removedAt: Generated<Date>
}

/** A part of a queue of requests, as audience has published it. */
interface RequestQueuesTable {
  channelId: string
  sequence: number
  part: number
  parts: number
  body: JSONColumnType<RequestQueue>
}

/** What was last published of a channel's requests. */
export interface RequestPlansTable {
  channelId: string
  /** Requests of programmes that start earlier are decided (epoch ms). */
  decidedUntilMs: number
  /** The freeze interval (ms) with which the channel was last planned. */
  freezeMs: number
  /** When the next request must be decided (epoch ms); null if none is planned. */
  decideAtMs: number | null
  body: JSONColumnType<RequestPlanBody>
}

/** The data of `stream.requests.planned.v1`, without the channel. */
export type RequestPlanBody = Pick<EventData<'stream.requests.planned.v1'>, 'planned' | 'blocked'>

interface StaleChannelsTable {
  channelId: string
  since: Generated<Date>
  /** What starts within the freeze interval stays: only the queue of requests has changed. */
  keepsFrozen: Generated<boolean>
}

interface ReplicasTable {
  id: string
  seenAt: Date
}

/** The planner's state before the programme `seq`, which starts at `startsAtMs`. A null state is the beginning. */
interface ScheduleStatesTable {
  channelId: string
  seq: number
  startsAtMs: number
  state: JSONColumnType<PlanState> | null
}

/** The last airing of each video on each channel. */
interface LastAiringsTable {
  channelId: string
  videoId: string
  startedAtMs: number
  endedAtMs: number
  airings: Generated<number>
}

interface AirLogTable {
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
  listeners: number | null
}

interface PlaybackReportsTable {
  videoId: string
  kind: 'error' | 'duration'
  viewer: string
  channelId: string
  errorCode: number | null
  durationMs: number | null
  reportedAt: Date
  /** A keyed hash of the viewer's network; null in reports made before the column existed. */
  network: string | null
  /** The viewer's country by its time zone, ISO 3166-1 alpha-2; null if it is unknown. */
  country: string | null
}

interface FirstStartStepsTable {
  step: string
  doneAt: Generated<Date>
}

interface LoopsTable {
  channelId: string
  roundSeq: number
  itemIds: string[]
  nextPlace: number
}

export interface Database extends EventTables {
  airLog: AirLogTable
  backfills: BackfillsTable
  channelPlaylists: ChannelPlaylistsTable
  channels: ChannelsTable
  firstStartSteps: FirstStartStepsTable
  lastAirings: LastAiringsTable
  logEdits: LogEditsTable
  loops: LoopsTable
  playbackReports: PlaybackReportsTable
  programmes: ProgrammesTable
  removedPlaylistItems: RemovedPlaylistItemsTable
  replicas: ReplicasTable
  requestPlans: RequestPlansTable
  requestQueues: RequestQueuesTable
  scheduleDrafts: ScheduleDraftsTable
  scheduleStates: ScheduleStatesTable
  scheduleVersions: ScheduleVersionsTable
  staleChannels: StaleChannelsTable
  takeovers: TakeoversTable
  timelineChanges: TimelineChangesTable
  videos: VideosTable
}

/** Columns of users, and ids that no foreign key checks: `tables.ts` says what they refer to. */
export interface NotedColumns {
  airLog: 'itemId' | 'videoId'
  backfills: never
  channelPlaylists: 'videoId' | 'createdBy'
  channels: 'leader' | 'createdBy'
  firstStartSteps: never
  lastAirings: never
  logEdits: 'videoId' | 'createdBy'
  loops: never
  playbackReports: never
  programmes: 'itemId'
  removedPlaylistItems: 'videoId' | 'createdBy'
  replicas: never
  requestPlans: never
  requestQueues: never
  scheduleDrafts: 'savedBy' | 'submittedBy' | 'sentBackBy'
  scheduleStates: never
  scheduleVersions: 'publishedBy'
  staleChannels: never
  takeovers: 'startedBy'
  timelineChanges: 'actorId'
  videos: 'youtubeId' | 'quarantineChannelId'
}

export type Store = Db<Database>
export type Trx = Transaction<Database>
export type ChannelRow = Selectable<ChannelsTable>
export type ProgrammeRow = Selectable<ProgrammesTable>
export type LogEditRow = Selectable<LogEditsTable>
export type TakeoverRow = Selectable<TakeoversTable>
export type VideoRow = Selectable<VideosTable>
