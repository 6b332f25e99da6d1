import {
  cataloguePlaylistAddItem,
  cataloguePlaylistCreate,
  cataloguePlaylistDelete,
  cataloguePlaylistEnsureVideo,
  cataloguePlaylistGet,
  cataloguePlaylistList,
  cataloguePlaylistListEntries,
  cataloguePlaylistListItems,
  cataloguePlaylistRemoveItem,
  cataloguePlaylistReorder,
  cataloguePlaylistUpdate,
} from '@looptide/contracts/operations/catalogue/playlists'
import { toPage } from '@looptide/service-kit/http/cursor'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { type PlaylistService, presentItem, presentPlaylist } from './playlist-service.ts'

/** Routes of personal playlists. */
export const playlistRoutes = ({ playlists }: { playlists: PlaylistService }): Route[] => [
  route(cataloguePlaylistList, async ({ query, user, request }) => {
    const { limit = 100, cursor, userId } = query
    const rows = await playlists.list(userId ?? signedIn(request).id, user, limit, cursor)
    return toPage(rows, limit, presentPlaylist, (row) => [row.createdAt.getTime(), row.id])
  }),
  route(cataloguePlaylistGet, async ({ params, user }) =>
    presentPlaylist(await playlists.read(params.id, user)),
  ),
  route(cataloguePlaylistListItems, async ({ query, params, user }) => {
    const { limit = 100, cursor } = query
    const rows = await playlists.items(params.id, user, limit, cursor)
    return toPage(rows, limit, presentItem, (row) => [row.position, row.id])
  }),
  route(cataloguePlaylistCreate, async ({ body: { name, description }, user }) =>
    presentPlaylist(await playlists.create(name, description, user)),
  ),
  route(cataloguePlaylistUpdate, async ({ params, body, user }) =>
    presentPlaylist(await playlists.update(params.id, body, user)),
  ),
  route(cataloguePlaylistDelete, ({ params, user }) => playlists.delete(params.id, user)),
  route(cataloguePlaylistAddItem, async ({ params, body, user }) =>
    presentItem(await playlists.addItem(params.id, body, user)),
  ),
  route(cataloguePlaylistRemoveItem, ({ params, user }) =>
    playlists.removeItem(params.id, params.itemId, user),
  ),
  route(cataloguePlaylistReorder, ({ params, body, user }) => playlists.reorder(params.id, body.ids, user)),
  route(cataloguePlaylistEnsureVideo, async ({ params, user }) => {
    const { playlist, item, added } = await playlists.ensureVideo(params.id, params.videoId, user)
    return { playlist: presentPlaylist(playlist), item: presentItem(item), added }
  }),
  route(cataloguePlaylistListEntries, async ({ query, user }) => ({
    items: await playlists.entriesOf(query.videoId, user),
  })),
]
