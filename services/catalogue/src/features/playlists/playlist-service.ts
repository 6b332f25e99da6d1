import {
  type AddPlaylistItemBody,
  DEFAULT_PLAYLIST_NAME,
  type Playlist,
  type PlaylistItem,
  type UpdatePlaylistBody,
} from '@looptide/contracts/http/playlists'
import { AppError, errors } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import type { RequestUser } from '@looptide/service-kit/request-user'
import type { Static } from 'typebox'
import type { CatalogueDb, PlaylistRow, Queries } from '../../db/schema.ts'
import { submittedBy } from '../submissions/submission-repository.ts'
import { cleanOrNull, cleanText } from '../videos/clean-text.ts'
import { presentVideo } from '../videos/present-video.ts'
import { findVideo } from '../videos/video-repository.ts'
import { noSuchVideo, notAccepted } from '../videos/video-service.ts'
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
  isRestricted,
  itemIds,
  listItems,
  listPlaylists,
  lockDefaultPlaylist,
  lockPlaylist,
  MOST_ITEMS,
  moveUpFrom,
  nextPosition,
  setOrder,
  updatePlaylist,
} from './playlist-repository.ts'

const MOST_PLAYLISTS = 500
const NAME_LENGTH = 200
const DESCRIPTION_LENGTH = 2000

type Person = Pick<RequestUser, 'id'>

export interface KeptVideo {
  playlist: PlaylistRow
  item: ItemRow
  added: boolean
}

/** People's own playlists: the owner changes them, public ones can be read by anybody with the link. */
export class PlaylistService {
  readonly #db: CatalogueDb
  readonly #now: () => number

  constructor(db: CatalogueDb, now: () => number = Date.now) {
    this.#db = db
    this.#now = now
  }

  /** One page and one row more: all of one's own, or the public ones of somebody else. */
  async list(ownerId: string, reader: Person | null, limit: number, cursor?: string): Promise<PlaylistRow[]> {
    const publicOnly = reader?.id !== ownerId
    const rows = await listPlaylists(this.#db, { userId: ownerId, publicOnly, limit, cursor })
    return this.#countedFor(reader, rows)
  }

  /** `not_found` when it is deleted, or private and somebody else's. */
  async read(id: string, reader: Person | null): Promise<PlaylistRow> {
    const playlist = await findPlaylist(this.#db, id)
    if (playlist === undefined || !mayRead(playlist, reader)) throw noSuchPlaylist()
    return (await this.#countedFor(reader, [playlist]))[0] ?? playlist
  }

  /** Others see neither the owner's videos under review nor how many there are. The rows are one person's. */
  async #countedFor(reader: Person | null, rows: PlaylistRow[]): Promise<PlaylistRow[]> {
    const ownerId = rows[0]?.userId
    if (ownerId === undefined || ownerId === reader?.id) return rows
    const ids = rows.map((row) => row.id)
    const hidden = await countUnderReview(this.#db, ownerId, ids)
    return rows.map((row) => ({ ...row, itemCount: row.itemCount - (hidden.get(row.id) ?? 0) }))
  }

  /** A new playlist: private, no shuffle, no loop, auto-advance on (admin specification §4). */
  async create(name: string, description: string | null | undefined, owner: Person): Promise<PlaylistRow> {
    const cleanName = nameOrRefusal(name)
    if ((await countPlaylists(this.#db, owner.id)) >= MOST_PLAYLISTS) {
      throw errors.conflict(`You already have ${MOST_PLAYLISTS} playlists.`)
    }
    return insertPlaylist(this.#db, {
      id: newId(),
      name: cleanName,
      description: cleanOrNull(description, DESCRIPTION_LENGTH),
      userId: owner.id,
    })
  }

  /** `user_restricted` when a restricted person would make it public. */
  async update(id: string, change: UpdatePlaylistBody, owner: Person): Promise<PlaylistRow> {
    return this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, id, owner)
      if (change.isPublic === true && (await isRestricted(trx, owner.id, new Date(this.#now())))) {
        throw new AppError('user_restricted', 'Your account is restricted: playlists stay private.')
      }
      const { name, description, ...settings } = change
      return updatePlaylist(trx, id, {
        ...settings,
        ...(name === undefined ? {} : { name: nameOrRefusal(name) }),
        ...(description === undefined ? {} : { description: cleanOrNull(description, DESCRIPTION_LENGTH) }),
      })
    })
  }

  /** Soft: the row stays, nobody sees it any more. */
  async delete(id: string, owner: Person): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, id, owner)
      await updatePlaylist(trx, id, { isActive: false })
    })
  }

  /** Private videos are shown to admins alone, videos under review to the list's owner, who submitted them. */
  async items(id: string, reader: RequestUser | null, limit: number, cursor?: string): Promise<ItemRow[]> {
    const { userId } = await this.read(id, reader)
    return listItems(this.#db, id, {
      limit,
      cursor,
      includePrivate: reader?.role === 'admin',
      includeReviewed: reader?.id === userId,
    })
  }

  /** Adds a video that the owner may see: behind the last one, or at `position`. */
  async addItem(
    id: string,
    { videoId, position }: Static<typeof AddPlaylistItemBody>,
    owner: RequestUser,
  ): Promise<ItemRow> {
    return this.#db.transaction().execute(async (trx) => {
      const playlist = await lockOwned(trx, id, owner)
      return putVideo(trx, playlist, videoId, owner, position)
    })
  }

  /**
   * Sees to it that a playlist (`default`: the person's default one, made on first use) holds a video, and
   * changes nothing when it does already: pressing twice, or in two tabs, comes to the same.
   */
  async keep(id: string, videoId: string, owner: RequestUser): Promise<KeptVideo> {
    return this.#db.transaction().execute(async (trx) => {
      const playlist =
        id === 'default'
          ? await lockDefaultPlaylist(trx, { id: newId(), name: DEFAULT_PLAYLIST_NAME, userId: owner.id })
          : await lockOwned(trx, id, owner)
      const there = await findItem(trx, playlist.id, videoId)
      const video = there && (await findVideo(trx, videoId))
      if (there && video) return { playlist, item: { ...there, video }, added: false }
      const item = await putVideo(trx, playlist, videoId, owner)
      return { playlist: { ...playlist, itemCount: playlist.itemCount + 1 }, item, added: true }
    })
  }

  /** Where in one's own playlists a video is. */
  entriesOf(videoId: string, owner: Person): Promise<{ playlistId: string; itemId: string }[]> {
    return findEntries(this.#db, owner.id, videoId)
  }

  async removeItem(id: string, itemId: string, owner: Person): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, id, owner)
      if (!(await deleteItem(trx, id, itemId))) throw errors.notFound('This entry')
    })
  }

  /** Reorders: `ids` must be all the items there are, else `conflict` (somebody changed it meanwhile). */
  async reorder(id: string, ids: readonly string[], owner: Person): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, id, owner)
      const present = new Set(await itemIds(trx, id))
      if (present.size !== ids.length || !ids.every((itemId) => present.has(itemId))) {
        throw errors.conflict('The playlist was changed by someone else. Please reload.')
      }
      await setOrder(trx, id, ids)
    })
  }
}

const noSuchPlaylist = (): AppError => errors.notFound('This playlist')
const mayRead = (playlist: PlaylistRow, reader: Person | null): boolean =>
  playlist.isPublic || playlist.userId === reader?.id

function nameOrRefusal(name: string): string {
  const clean = cleanText(name, NAME_LENGTH)
  if (clean === '') throw errors.validation('Please enter a playlist name')
  return clean
}

async function putVideo(
  trx: Queries,
  playlist: PlaylistRow,
  videoId: string,
  owner: RequestUser,
  position?: number,
): Promise<ItemRow> {
  if (playlist.itemCount >= MOST_ITEMS)
    throw errors.conflict(`A playlist holds at most ${MOST_ITEMS} videos.`)
  const video = await findVisibleVideo(trx, videoId, owner)
  if (video === undefined) throw noSuchVideo()
  if (video.reviewState !== null && !(await submittedBy(trx, owner.id, [videoId])).has(videoId)) {
    throw notAccepted()
  }
  const end = await nextPosition(trx, playlist.id)
  const place = Math.min(position ?? end, end)
  if (place < end) await moveUpFrom(trx, playlist.id, place)
  const item = { id: newId(), playlistId: playlist.id, videoId, addedBy: owner.id, position: place }
  return { ...(await insertItem(trx, item)), video }
}

async function lockOwned(trx: Queries, id: string, owner: Person): Promise<PlaylistRow> {
  const playlist = await lockPlaylist(trx, id)
  if (playlist === undefined || !mayRead(playlist, owner)) throw noSuchPlaylist()
  if (playlist.userId !== owner.id) throw errors.notAllowed('This playlist is somebody else’s.')
  return playlist
}

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

export const presentItem = ({ id, position, video }: ItemRow): PlaylistItem => ({
  id,
  position,
  video: presentVideo(video),
})
