import type { Db } from '@looptide/service-kit/db'
import type { EventTables } from '@looptide/service-kit/event-tables'
import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely'

export type MetadataState = 'pending' | 'resolved' | 'unavailable'
export type ReviewStateName = 'submitted' | 'rejected'
export type SubmissionStateName = ReviewStateName | 'accepted'
export type SectionTypeName = 'hero' | 'featured' | 'category'
export type LoopModeName = 'off' | 'single' | 'playlist'

interface VideosTable {
  id: string
  title: string
  artistName: string
  /** A person typed the artist: YouTube's word does not replace it. */
  artistGiven: boolean
  /** An admin edited the title: metadata does not replace it. */
  titleGiven: Generated<boolean>
  /** An admin chose the picture: metadata does not replace it. */
  thumbnailGiven: Generated<boolean>
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
  /** Null: accepted. Else not public: seen by its submitters and by moderators alone. */
  reviewState: Generated<ReviewStateName | null>
  /** Why it was rejected, for its submitters. */
  reviewReason: Generated<string | null>
  viewCount: Generated<number>
  userId: string | null
  /** A random place in [0, 1) that never changes: how random picks find rows without sorting the table. */
  shuffleKey: Generated<number>
  createdAt: Generated<Date>
}

/** What search reads: one lower-cased text per video that viewers may find. Kept by a trigger on `videos`. */
interface VideoDocumentsTable {
  videoId: string
  createdAt: Date
  slice: number
  document: string
}

/** The library cut into pieces by time: search asks the index piece by piece, the newest first. */
interface SearchSlicesTable {
  id: Generated<number>
  startsAt: Date
  rowCount: Generated<number>
}

/** Artists with how many videos of theirs viewers may find. Kept by a trigger on `videos`. */
interface ArtistsTable {
  name: string
  document: string
  videoCount: number
}

/** How many videos there are, by category ('' for none) and visibility. Kept by a trigger on `videos`. */
interface VideoTotalsTable {
  category: string
  isPublic: boolean
  videoCount: number
  /** Those of them that YouTube does not show any more. */
  unavailableCount: Generated<number>
}

interface ViewMarksTable {
  viewerId: string
  videoId: string
  countedAt: Date
}

/** Complaints of the scheduler about a video, one row for each channel. */
interface VideoReportsTable {
  videoId: string
  channelId: string
  reason: string
  reportCount: ColumnType<number, number | undefined, number>
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
  /** The one that "Add to List" adds to. */
  isDefault: Generated<boolean>
  itemCount: Generated<number>
  createdAt: Generated<Date>
}

interface YoutubePlaylistItemsTable {
  id: string
  playlistId: string
  videoId: string
  position: number
  addedBy: string | null
}

/** Videos that wait for their metadata or the duration of their file. Kept by a trigger on `videos`. */
interface MetadataRemindersTable {
  videoId: string
  dueAt: Date
  /** How many reminders have been sent since the video was last requested. */
  sent: Generated<number>
}

/** Who is `restricted` now: our copy of what auth says. */
interface RestrictedUsersTable {
  restrictionId: string
  userId: string
  expiresAt: Date | null
}

/** Deleted videos, for 30 days. They have left `videos`, and with it all lists, counts and the search. */
interface DeletedVideosTable extends VideosTable {
  deletedAt: Generated<Date>
}

/** Entries of playlists that deleted videos had. */
interface DeletedPlaylistItemsTable extends YoutubePlaylistItemsTable {}

/** Places on the home page that deleted videos had. */
type DeletedCurationTable = Selectable<HomeScreenCurationTable>

/** What an edit of many videos replaced in one of them, and by what. */
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
}

/** A video that was added for review: the decision. One row per video. */
interface SubmissionsTable {
  videoId: string
  state: Generated<SubmissionStateName>
  submittedAt: Generated<Date>
  decidedBy: string | null
  decidedAt: Date | null
}

/** Everybody who submitted a video. */
interface SubmittersTable {
  userId: string
  videoId: string
  submittedAt: Generated<Date>
}

export interface Database extends EventTables {
  videos: VideosTable
  videoDocuments: VideoDocumentsTable
  searchSlices: SearchSlicesTable
  artists: ArtistsTable
  videoTotals: VideoTotalsTable
  viewMarks: ViewMarksTable
  videoReports: VideoReportsTable
  homeScreenCuration: HomeScreenCurationTable
  youtubePlaylists: YoutubePlaylistsTable
  youtubePlaylistItems: YoutubePlaylistItemsTable
  restrictedUsers: RestrictedUsersTable
  metadataReminders: MetadataRemindersTable
  submissions: SubmissionsTable
  submitters: SubmittersTable
  videoEdits: VideoEditsTable
  deletedVideos: DeletedVideosTable
  deletedPlaylistItems: DeletedPlaylistItemsTable
  deletedCuration: DeletedCurationTable
}

export type VideoRow = Selectable<VideosTable>
export type DeletedVideoRow = Selectable<DeletedVideosTable>
export type SubmissionRow = Selectable<SubmissionsTable>
export type CurationRow = Selectable<HomeScreenCurationTable>
export type PlaylistRow = Selectable<YoutubePlaylistsTable>
export type CatalogueDb = Kysely<Database>
export type CatalogueTrx = Transaction<Database>
export type Queries = Db<Database>
