import { cataloguePlaylistExport } from '@looptide/contracts/operations/catalogue/playlists'
import { catalogueVideoExportOwn } from '@looptide/contracts/operations/catalogue/videos'
import { requireFreshFactor } from '@looptide/service-kit/identity/request-user'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { readPlaylists } from './export-playlists.ts'
import { readVideosOfUser } from './export-videos-of-user.ts'

/** Routes of the export of what a user has stored. */
export const exportRoutes = ({ db }: { db: Kysely<Database> }): Route[] => [
  route(cataloguePlaylistExport, ({ request, user, query }) => {
    requireFreshFactor(request)
    return readPlaylists(db, user.id, query.cursor)
  }),
  route(catalogueVideoExportOwn, ({ request, user, query }) => {
    requireFreshFactor(request)
    return readVideosOfUser(db, user.id, query.cursor)
  }),
]
