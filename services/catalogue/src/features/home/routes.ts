import {
  catalogueCurationAdd,
  catalogueCurationList,
  catalogueCurationRemove,
  catalogueCurationUpdate,
  catalogueHomeRead,
} from '@looptide/contracts/operations/catalogue/playlists'
import { toPage } from '@looptide/service-kit/http/cursor'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { CatalogueDb } from '../../db/schema.ts'
import { curationCursor } from './curation-repository.ts'
import { type CurationService, presentCuration } from './curation-service.ts'
import { readHome } from './home-service.ts'

/** Routes of the home page and its curation. */
export const homeRoutes = ({ curation, db }: { curation: CurationService; db: CatalogueDb }): Route[] => [
  route(catalogueHomeRead, ({ query }) => readHome(db, query.seed)),
  route(catalogueCurationList, async ({ query: { limit = 100, cursor }, reply }) => {
    // Read before the page: after a change in between it is outdated, and a write with it is refused.
    reply.header('etag', await curation.etag())
    const rows = await curation.list(limit, cursor)
    return toPage(
      rows,
      limit,
      ({ item, video }) => presentCuration(item, video),
      ({ item }) => curationCursor(item),
    )
  }),
  route(catalogueCurationAdd, ({ body, cause }) => curation.add(body, cause)),
  route(catalogueCurationUpdate, ({ params, body, cause, expected }) =>
    curation.update(params.id, body, cause, expected),
  ),
  route(catalogueCurationRemove, ({ params, cause }) => curation.remove(params.id, cause)),
]
