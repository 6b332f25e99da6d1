import { cataloguePlaylistExport } from '@looptide/contracts/operations/catalogue/playlists'
import { catalogueVideoExportOwn } from '@looptide/contracts/operations/catalogue/videos'
import { type ExportPart, exportPart } from '@looptide/service-kit/routes/export-part'
import type { Database } from '../../db/schema.ts'
import { readPlaylists } from './export-playlists.ts'
import { readVideosOfUser } from './export-videos-of-user.ts'

/** What a user has stored, for their export and for `looptide users export`. */
export const exportParts: readonly ExportPart<Database>[] = [
  exportPart(cataloguePlaylistExport, readPlaylists),
  exportPart(catalogueVideoExportOwn, readVideosOfUser),
]
