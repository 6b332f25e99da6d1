import {
  type AddPlaylistItemBody,
  DEFAULT_PLAYLIST_NAME,
  type Playlist,
  type PlaylistItem,
  type UpdatePlaylistBody,
} from '@looptide/contracts/http/playlists'
import { may } from '@looptide/contracts/permissions'
import { newId } from '@looptide/service-kit/db/ids'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Static } from 'typebox'
import type { CatalogueDb, PlaylistRow, Queries } from '../../db/schema.ts'
import { isRestricted } from '../shared/restriction-repository.ts'
import { submittedBy } from '../submissions/submission-repository.ts'
import { cleanLinesOrNull, cleanText } from '../videos/clean-text.ts'
import { presentVideo } from '../videos/present-video.ts'
import { noSuchVideo, notAccepted } from '../videos/video-errors.ts'
import { findVideo } from '../videos/video-repository.ts'
import { findVisibleVideo } from '../videos/visible-videos.ts'
import {
  countPlaylists,
  countUnderReview,
  deleteItem,
  findEntries,
  findItem,
  findPlaylist,
  type ItemRow,
  insertItem,
  insertPlaylist,
  itemIds,
  listItems,
  listPlaylists,
  lockDefaultPlaylist,
  lockPlaylist,
  lockVideo,
  MAX_ITEMS,
  nextPosition,
  setOrder,
  shiftItemsFrom,
  updatePlaylist,
} from './playlist-repository.ts'

const MAX_PLAYLISTS = 500
const NAME_LENGTH = 200
const DESCRIPTION_LENGTH = 2000

type UserRef = Pick<RequestUser, 'id'>
type PlaylistOwner = Pick<RequestUser, 'id' | 'isAnonymous'>

export interface EnsuredVideo {
  playlist: PlaylistRow
  item: ItemRow
  /** False if the playlist already contained the video. */
  added: boolean
}

/** Personal playlists. Only the owner changes a playlist; a public one can be read by any user with the link. */
export class PlaylistService {
  readonly #db: CatalogueDb
  readonly #now: () => number

  constructor(db: CatalogueDb, now: () => number = Date.now) {
    this.#db = db
    this.#now = now
  }

  /** One page and one extra row: all playlists of the requester, or the public ones of another user. */
  async list(
    ownerId: string,
    requester: UserRef | null,
    limit: number,
    cursor?: string,
  ): Promise<PlaylistRow[]> {
    const publicOnly = requester?.id !== ownerId
    const rows = await listPlaylists(this.#db, { userId: ownerId, publicOnly, limit, cursor })
    return this.#withVisibleCounts(requester, rows)
  }

  /** Throws `not_found` if the playlist is deleted, or private and another user's. */
  async read(id: string, requester: UserRef | null): Promise<PlaylistRow> {
    const playlist = await findPlaylist(this.#db, id)
    if (playlist === undefined || !mayRead(playlist, requester)) throw noSuchPlaylist()
    return (await this.#withVisibleCounts(requester, [playlist]))[0] ?? playlist
  }

  /** Subtracts the owner's videos under review from the counts for other users. All rows belong to one user. */
  async #withVisibleCounts(requester: UserRef | null, rows: PlaylistRow[]): Promise<PlaylistRow[]> {
    const ownerId = rows[0]?.userId
    if (ownerId === undefined || ownerId === requester?.id) return rows
    const ids = rows.map((row) => row.id)
    const underReview = await countUnderReview(this.#db, ownerId, ids)
    return rows.map((row) => ({ ...row, itemCount: row.itemCount - (underReview.get(row.id) ?? 0) }))
  }

  /** Creates a playlist: private, without shuffle and loop, with auto-advance. */
  async create(name: string, description: string | null | undefined, owner: UserRef): Promise<PlaylistRow> {
    const validName = validateName(name)
    if ((await countPlaylists(this.#db, owner.id)) >= MAX_PLAYLISTS) {
      throw errors.conflict(`You already have ${MAX_PLAYLISTS} playlists.`)
    }
    return insertPlaylist(this.#db, {
      id: newId(),
      name: validName,
      description: cleanLinesOrNull(description, DESCRIPTION_LENGTH),
      userId: owner.id,
    })
  }

  /** Changes settings. Of users who make a playlist public, restricted ones get `user_restricted`, anonymous ones `forbidden`. */
  async update(id: string, change: UpdatePlaylistBody, owner: PlaylistOwner): Promise<PlaylistRow> {
    return this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, id, owner)
      if (change.isPublic === true && owner.isAnonymous)
        throw errors.notAllowed('Create an account to share playlists.')
      if (change.isPublic === true && (await isRestricted(trx, owner.id, new Date(this.#now())))) {
        throw new AppError('user_restricted', 'Your account is restricted: playlists stay private.')
      }
      const { name, description, ...settings } = change
      return updatePlaylist(trx, id, {
        ...settings,
        ...(name === undefined ? {} : { name: validateName(name) }),
        ...(description === undefined
          ? {}
          : { description: cleanLinesOrNull(description, DESCRIPTION_LENGTH) }),
      })
    })
  }

  /** Soft delete: the row stays but is inactive. */
  async delete(id: string, owner: UserRef): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, id, owner)
      await updatePlaylist(trx, id, { isActive: false })
    })
  }

  /** One page and one extra row. Includes private and untitled videos for those who edit the library, and ones under review or untitled for the owner. */
  async items(id: string, requester: RequestUser | null, limit: number, cursor?: string): Promise<ItemRow[]> {
    const { userId } = await this.read(id, requester)
    return listItems(this.#db, id, {
      limit,
      cursor,
      includePrivate: may(requester?.role, 'videos:edit'),
      isOwner: requester?.id === userId,
    })
  }

  /** Adds a video that the owner may see, at `position` or at the end. */
  async addItem(
    id: string,
    { videoId, position }: Static<typeof AddPlaylistItemBody>,
    owner: RequestUser,
  ): Promise<ItemRow> {
    return this.#db.transaction().execute(async (trx) => {
      await lockVideo(trx, videoId)
      const playlist = await lockOwned(trx, id, owner)
      return insertVideo(trx, playlist, videoId, owner, position)
    })
  }

  /**
   * Adds a video to a playlist unless it is already there, so the request can be repeated. The id `default` is the user's
   * default playlist, which is created on first use.
   */
  async ensureVideo(id: string, videoId: string, owner: RequestUser): Promise<EnsuredVideo> {
    return this.#db.transaction().execute(async (trx) => {
      await lockVideo(trx, videoId)
      const playlist =
        id === 'default'
          ? await lockDefaultPlaylist(trx, { id: newId(), name: DEFAULT_PLAYLIST_NAME, userId: owner.id })
          : await lockOwned(trx, id, owner)
      const existing = await findItem(trx, playlist.id, videoId)
      const video = existing && (await findVideo(trx, videoId))
      if (existing && video) return { playlist, item: { ...existing, video }, added: false }
      const item = await insertVideo(trx, playlist, videoId, owner)
      return { playlist: { ...playlist, itemCount: playlist.itemCount + 1 }, item, added: true }
    })
  }

  /** The items of a video in the user's own playlists. */
  entriesOf(videoId: string, owner: UserRef): Promise<{ playlistId: string; itemId: string }[]> {
    return findEntries(this.#db, owner.id, videoId)
  }

  async removeItem(id: string, itemId: string, owner: UserRef): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, id, owner)
      if (!(await deleteItem(trx, id, itemId))) throw errors.notFound('This entry')
    })
  }

  /** Reorders the items. Throws `conflict` unless `ids` are exactly the current items. */
  async reorder(id: string, ids: readonly string[], owner: UserRef): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, id, owner)
      const current = new Set(await itemIds(trx, id))
      if (current.size !== ids.length || !ids.every((itemId) => current.has(itemId))) {
        throw errors.conflict('The playlist was changed by someone else. Please reload.')
      }
      await setOrder(trx, id, ids)
    })
  }
}

const noSuchPlaylist = (): AppError => errors.notFound('This playlist')
const mayRead = (playlist: PlaylistRow, requester: UserRef | null): boolean =>
  playlist.isPublic || playlist.userId === requester?.id

function validateName(name: string): string {
  const clean = cleanText(name, NAME_LENGTH)
  if (clean === '') throw errors.validation('Please enter a playlist name')
  return clean
}

async function insertVideo(
  trx: Queries,
  playlist: PlaylistRow,
  videoId: string,
  owner: RequestUser,
  position?: number,
): Promise<ItemRow> {
  if (playlist.itemCount >= MAX_ITEMS) throw errors.conflict(`A playlist holds at most ${MAX_ITEMS} videos.`)
  const video = await findVisibleVideo(trx, videoId, owner)
  if (video === undefined) throw noSuchVideo()
  if (video.reviewState !== null && !(await submittedBy(trx, owner.id, [videoId])).has(videoId)) {
    throw notAccepted()
  }
  const end = await nextPosition(trx, playlist.id)
  const target = Math.min(position ?? end, end)
  if (target < end) await shiftItemsFrom(trx, playlist.id, target)
  const item = { id: newId(), playlistId: playlist.id, videoId, addedBy: owner.id, position: target }
  return { ...(await insertItem(trx, item)), video }
}

async function lockOwned(trx: Queries, id: string, owner: UserRef): Promise<PlaylistRow> {
  const playlist = await lockPlaylist(trx, id)
  if (playlist === undefined || !mayRead(playlist, owner)) throw noSuchPlaylist()
  if (playlist.userId !== owner.id) throw errors.notAllowed('This playlist belongs to another user.')
  return playlist
}

/** A playlist without its items. */
export const presentPlaylist = (row: PlaylistRow): Playlist => ({
  id: row.id,
  name: row.name,
  description: row.description,
  userId: row.userId,
  shuffleMode: row.shuffleMode,
  loopMode: row.loopMode,
  autoAdvance: row.autoAdvance,
  isPublic: row.isPublic,
  isDefault: row.isDefault,
  itemCount: row.itemCount,
  createdAt: row.createdAt.toISOString(),
})

/** An item of a playlist with its video. */
export const presentItem = ({ id, position, video }: ItemRow): PlaylistItem => ({
  id,
  position,
  video: presentVideo(video),
})
