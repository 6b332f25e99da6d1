import { cataloguePlaylistExport } from '@looptide/contracts/operations/catalogue/playlists'
import { catalogueVideoExportOwn } from '@looptide/contracts/operations/catalogue/videos'
import type { Db } from '@looptide/service-kit/db/db'
import { FIRST_ID } from '@looptide/service-kit/db/ids'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { type ExportPart, exportPart } from '@looptide/service-kit/routes/export-part'
import type { Database } from '../../db/schema.ts'
import { entriesOf, PLAYLISTS_PER_PAGE, playlistsOf, VIDEOS_PER_PAGE, videosOf } from './export-repository.ts'

/** One page of a user's playlists with their entries. Errors: `invalid_cursor`. */
async function readPlaylists(db: Db<Database>, userId: string, cursor?: string) {
  const [afterId] = cursor === undefined ? [FIRST_ID] : decodeCursor(cursor, ['string'])
  const playlists = await playlistsOf(db, userId, afterId)
  const ids = playlists.slice(0, PLAYLISTS_PER_PAGE).map(({ id }) => id)
  const entries = Map.groupBy(ids.length === 0 ? [] : await entriesOf(db, ids), (row) => row.playlistId)
  return toPage(
    playlists,
    PLAYLISTS_PER_PAGE,
    ({ isActive, createdAt, ...playlist }) => ({
      ...playlist,
      isDeleted: !isActive,
      createdAt: createdAt.toISOString(),
      entries: (entries.get(playlist.id) ?? []).map(({ playlistId: _, ...entry }) => entry),
    }),
    ({ id }) => [id],
  )
}

/** One page of the videos that a user added or submitted. Errors: `invalid_cursor`. */
async function readVideosOfUser(db: Db<Database>, userId: string, cursor?: string) {
  const [afterId] = cursor === undefined ? [FIRST_ID] : decodeCursor(cursor, ['string'])
  return toPage(
    await videosOf(db, userId, afterId),
    VIDEOS_PER_PAGE,
    ({ submittedAt, ...row }) => ({ ...row, submittedAt: submittedAt?.toISOString() ?? null }),
    ({ videoId }) => [videoId],
  )
}

/** What a user has stored, for their export and for `looptide users export`. */
export const exportParts: readonly ExportPart<Database>[] = [
  exportPart(cataloguePlaylistExport, readPlaylists),
  exportPart(catalogueVideoExportOwn, readVideosOfUser),
]
