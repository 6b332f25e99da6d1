import type { VideoCategory } from '@looptide/contracts/common'
import type { Intake, ListProblemCode } from '@looptide/contracts/http/followed-lists'
import type { BulkFields } from '@looptide/contracts/http/video-edits'
import type { VideoFilter } from '@looptide/contracts/http/video-filters'
import type { ImportRow } from '@looptide/contracts/http/video-import'
import type { VideoJobKind, VideoJobState } from '@looptide/contracts/http/video-jobs'
import type { YoutubeListName } from '@looptide/contracts/youtube-url'
import type { Db } from '@looptide/service-kit/db/db'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { Generated, GeneratedAlways, JSONColumnType, Kysely, Selectable, Transaction } from 'kysely'

type MetadataState = 'pending' | 'resolved' | 'unavailable'
type ReviewStateName = 'submitted' | 'rejected'
export type SubmissionStateName = ReviewStateName | 'accepted'
type SectionTypeName = 'hero' | 'featured' | 'category'
/** What a job changes: the fields of an edit, of which a move sets the category; for an import, which URLs it adds. */
export interface JobChange {
  fields?: BulkFields
  allowUnplayableUrls?: boolean
}
type LoopModeName = 'off' | 'single' | 'playlist'

interface VideosTable {
  id: string
  title: string
  artistName: string
  /** A user entered the artist: metadata does not replace it. */
  artistGiven: boolean
  description: string | null
  genre: string | null
  category: string | null
  durationMs: number
  durationAssumed: boolean
  thumbnailUrl: string | null
  videoUrl: string
  youtubeId: string | null
  isPublic: boolean
  metadataStatus: MetadataState
  unavailableReason: string | null
  viewCount: Generated<number>
  userId: string | null
  /** A constant random number in [0, 1). Random picks use its index instead of sorting the table. */
  shuffleKey: Generated<number>
  createdAt: Generated<Date>
  /** Null if accepted. Otherwise the video is not public; only its submitters and moderators see it. */
  reviewState: ReviewStateName | null
  /** The reason of a rejection, shown to the submitters. */
  reviewReason: string | null
  /** An admin edited the title: metadata does not replace it. */
  titleGiven: Generated<boolean>
  /** An admin chose the thumbnail: metadata does not replace it. */
  thumbnailGiven: Generated<boolean>
  tags: Generated<string[]>
  /** Trim points in ms of the media; null is its end. At least a second apart; they may lie beyond the media. */
  startAtMs: Generated<number>
  endAtMs: number | null
  likeCount: Generated<number>
  likeVersion: Generated<number>
}

/** The text that search reads, in lower case: one row for each listed video. A trigger on `videos` maintains it. */
interface VideoDocumentsTable {
  videoId: string
  createdAt: Date
  /** The partition of the gram index that contains this document: `search_partitions.id`. */
  partitionId: number
  document: string
}

/** Partitions of the gram index by time. Search reads them one after another, newest first. */
interface SearchPartitionsTable {
  id: GeneratedAlways<number>
  startsAt: Date
  documentCount: Generated<number>
}

/** Artists with their number of listed videos. A trigger on `videos` maintains it. */
interface ArtistsTable {
  name: string
  document: string
  videoCount: number
}

/** Number of accepted videos by category ('' for none) and visibility. A trigger on `videos` maintains it. */
interface VideoTotalsTable {
  category: string
  isPublic: boolean
  videoCount: number
  /** The ones among them that are unavailable or without a title. */
  unavailableCount: Generated<number>
}

/** The last counted view of a video by a viewer. */
interface ViewMarksTable {
  viewerId: string
  videoId: string
  countedAt: Date
}

/** Playback failures of a video that the scheduler reported, one row for each channel. */
interface VideoReportsTable {
  videoId: string
  channelId: string
  reason: string
  reportCount: Generated<number>
  reportedAt: Date
}

interface HomeScreenCurationTable {
  id: string
  videoId: string
  sectionType: SectionTypeName
  sectionName: string | null
  position: number
  isActive: Generated<boolean>
  createdBy: string | null
  createdAt: Generated<Date>
}

interface YoutubePlaylistsTable {
  id: string
  name: string
  description: string | null
  userId: string
  shuffleMode: Generated<boolean>
  loopMode: Generated<LoopModeName>
  autoAdvance: Generated<boolean>
  isPublic: Generated<boolean>
  isActive: Generated<boolean>
  itemCount: Generated<number>
  createdAt: Generated<Date>
  /** The playlist to which "Add to List" adds. */
  isDefault: Generated<boolean>
}

interface YoutubePlaylistItemsTable {
  id: string
  playlistId: string
  videoId: string
  position: number
  addedBy: string | null
}

/** Videos without metadata or without the duration of their file. A trigger on `videos` maintains it. */
interface MetadataRemindersTable {
  videoId: string
  dueAt: Date
  /** Reminders sent since the video was last requested. */
  sent: Generated<number>
}

/** Restrictions of type `restricted`: the catalogue's copy of the auth service's data. */
interface RestrictedUsersTable {
  restrictionId: string
  userId: string
  expiresAt: Date | null
}

/** Deleted videos, for 30 days. They are not in `videos`, and so not in lists, counts or search. */
interface DeletedVideosTable {
  id: string
  title: string
  artistName: string
  artistGiven: boolean
  description: string | null
  genre: string | null
  category: string | null
  durationMs: number
  durationAssumed: boolean
  thumbnailUrl: string | null
  videoUrl: string
  youtubeId: string | null
  isPublic: boolean
  metadataStatus: MetadataState
  unavailableReason: string | null
  viewCount: number
  userId: string | null
  shuffleKey: number
  createdAt: Date
  reviewState: ReviewStateName | null
  reviewReason: string | null
  titleGiven: boolean
  thumbnailGiven: boolean
  deletedAt: Generated<Date>
  tags: Generated<string[]>
  startAtMs: Generated<number>
  endAtMs: number | null
  /** The job that deleted it. */
  jobId: string | null
  likeCount: Generated<number>
  likeVersion: Generated<number>
}

/** The playlist items of deleted videos. */
interface DeletedPlaylistItemsTable {
  id: string
  playlistId: string
  videoId: string
  position: number
  addedBy: string | null
}

/** The curation items of deleted videos. */
interface DeletedCurationTable {
  id: string
  videoId: string
  sectionType: SectionTypeName
  sectionName: string | null
  position: number
  isActive: boolean
  createdBy: string | null
  createdAt: Date
}

/** The old and new values of one video in a bulk edit. `editId` is the id of its job. */
interface VideoEditsTable {
  editId: string
  videoId: string
  oldArtistName: string
  oldArtistGiven: boolean
  oldGenre: string | null
  oldCategory: string | null
  newArtistName: string
  newArtistGiven: boolean
  newGenre: string | null
  newCategory: string | null
  editedAt: Generated<Date>
  /** Null in edits of a release that could not edit tags. */
  oldTags: string[] | null
  newTags: string[] | null
  /** Null in edits of a release that could not edit titles. */
  oldTitle: string | null
  newTitle: string | null
  oldTitleGiven: boolean | null
  newTitleGiven: boolean | null
}

/** A change of many videos that is made in the background, in batches. */
interface VideoJobsTable {
  id: string
  kind: VideoJobKind
  change: JSONColumnType<JobChange>
  /** The selected videos. Empty for an undo, which reads what its job has changed. */
  videoIds: string[]
  undoes: string | null
  state: Generated<VideoJobState>
  isCancelling: Generated<boolean>
  total: number
  done: Generated<number>
  failed: Generated<number>
  changed: Generated<number>
  /** Changed videos that jobs which undo this one have processed. */
  undone: Generated<number>
  /** Failures of the next batch. */
  attempts: Generated<number>
  createdBy: string | null
  cancelledBy: string | null
  correlationId: string | null
  createdAt: Generated<Date>
  startedAt: Date | null
  finishedAt: Date | null
  /** The rows of an import that has not ended. */
  importRows: JSONColumnType<ImportRow[]>
  /** What an import or a restoration has added to the library, and no undo has deleted. */
  addedIds: Generated<string[]>
}

/** A filter of the library list that an admin saved for all admins. */
interface VideoFiltersTable {
  id: string
  name: string
  filter: JSONColumnType<VideoFilter>
  createdBy: string | null
  updatedAt: Generated<Date>
}

/** A YouTube playlist or channel whose new items are added. */
interface FollowedListsTable {
  id: string
  /** The URL as it was entered. */
  url: string
  sourceKind: YoutubeListName['kind']
  sourceName: string
  /** The playlist to read: of a channel, its uploads. Null until it is known. */
  playlistId: string | null
  title: string | null
  intake: Intake
  category: VideoCategory
  tag: string
  /** The items of the first reading are not added. */
  onlyNew: boolean
  isPaused: Generated<boolean>
  itemCount: number | null
  newCount: Generated<number>
  lastNewAt: Date | null
  /** When the metadata worker was asked; null if it has answered. */
  requestedAt: Date | null
  /** When it answered last. */
  checkedAt: Date | null
  nextCheckAt: Date
  /** When all items were read last. */
  fullyReadAt: Date | null
  /** For the next request, see `catalogue.playlist.requested.v1`. */
  etag: string | null
  newestIds: Generated<string[]>
  problemCode: ListProblemCode | null
  problemMessage: string | null
  problemSince: Date | null
  problemContinuesAt: Date | null
  createdBy: string | null
  createdAt: Generated<Date>
}

/** The items that were seen in a followed list: what was seen once is never added again. */
interface FollowedItemsTable {
  listId: string
  youtubeId: string
  /** When it was in the list last, to within 30 days. */
  seenAt: Generated<Date>
}

/** The review of a submitted video and its decision. One row for each video. */
interface SubmissionsTable {
  videoId: string
  state: Generated<SubmissionStateName>
  submittedAt: Generated<Date>
  decidedBy: string | null
  decidedAt: Date | null
  /** The title of the followed list that contains the video; null if only users submitted it. */
  followedList: string | null
}

/** The users who submitted a video. */
interface SubmittersTable {
  userId: string
  videoId: string
  submittedAt: Generated<Date>
}

interface FirstStartStepsTable {
  step: string
  doneAt: Generated<Date>
}

export interface Database extends EventTables {
  artists: ArtistsTable
  deletedCuration: DeletedCurationTable
  deletedPlaylistItems: DeletedPlaylistItemsTable
  deletedVideos: DeletedVideosTable
  firstStartSteps: FirstStartStepsTable
  followedItems: FollowedItemsTable
  followedLists: FollowedListsTable
  homeScreenCuration: HomeScreenCurationTable
  metadataReminders: MetadataRemindersTable
  restrictedUsers: RestrictedUsersTable
  searchPartitions: SearchPartitionsTable
  submissions: SubmissionsTable
  submitters: SubmittersTable
  videoDocuments: VideoDocumentsTable
  videoEdits: VideoEditsTable
  videoFilters: VideoFiltersTable
  videoJobs: VideoJobsTable
  videoReports: VideoReportsTable
  videoTotals: VideoTotalsTable
  videos: VideosTable
  viewMarks: ViewMarksTable
  youtubePlaylistItems: YoutubePlaylistItemsTable
  youtubePlaylists: YoutubePlaylistsTable
}

/** Columns of users, and ids that no foreign key checks: `tables.ts` says what they refer to. */
export interface NotedColumns {
  artists: never
  deletedCuration: 'createdBy'
  deletedPlaylistItems: 'addedBy'
  deletedVideos: 'youtubeId' | 'userId' | 'jobId'
  firstStartSteps: never
  followedItems: 'youtubeId'
  followedLists: 'playlistId' | 'createdBy'
  homeScreenCuration: 'createdBy'
  metadataReminders: never
  restrictedUsers: 'restrictionId' | 'userId'
  searchPartitions: never
  submissions: 'decidedBy'
  submitters: 'userId'
  videoDocuments: 'partitionId'
  videoEdits: 'editId'
  videoFilters: 'createdBy'
  videoJobs: 'createdBy' | 'cancelledBy' | 'correlationId'
  videoReports: 'channelId'
  videoTotals: never
  videos: 'youtubeId' | 'userId'
  viewMarks: 'viewerId'
  youtubePlaylistItems: 'addedBy'
  youtubePlaylists: 'userId'
}

export type VideoRow = Selectable<VideosTable>
export type DeletedVideoRow = Selectable<DeletedVideosTable>
export type VideoJobRow = Selectable<VideoJobsTable>
export type VideoFilterRow = Selectable<VideoFiltersTable>
export type FollowedListRow = Selectable<FollowedListsTable>
export type SubmissionRow = Selectable<SubmissionsTable>
export type CurationRow = Selectable<HomeScreenCurationTable>
export type PlaylistRow = Selectable<YoutubePlaylistsTable>
export type CatalogueDb = Kysely<Database>
export type CatalogueTrx = Transaction<Database>
export type Queries = Db<Database>
