import { PageQuery } from '../../common.ts'
import { ExportQuery, PlaylistExportPage } from '../../http/exports.ts'
import {
  AddPlaylistItemBody,
  CreatePlaylistBody,
  EnsureVideoResult,
  ListPlaylistsQuery,
  OrderBody,
  Playlist,
  PlaylistEntries,
  PlaylistEntriesQuery,
  PlaylistItem,
  PlaylistItemPage,
  PlaylistItemParams,
  PlaylistPage,
  PlaylistVideoParams,
  UpdatePlaylistBody,
} from '../../http/playlists.ts'
import {
  AddCurationBody,
  CurationItem,
  CurationPage,
  Home,
  HomeQuery,
  IdParams,
  UpdateCurationBody,
} from '../../http/videos.ts'
import { operation } from '../../operation.ts'

export const catalogueHomeRead = operation({
  name: 'catalogue.home.read',
  summary: 'Get the rows of the home page',
  call: 'GET /api/home',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  shared: {},
  input: { query: HomeQuery },
  output: { 200: Home },
})

export const cataloguePlaylistList = operation({
  name: 'catalogue.playlist.list',
  summary: 'List playlists',
  call: 'GET /api/playlists',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { query: ListPlaylistsQuery },
  output: { 200: PlaylistPage },
})

export const cataloguePlaylistGet = operation({
  name: 'catalogue.playlist.get',
  summary: 'Get a playlist',
  call: 'GET /api/playlists/:id',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: IdParams },
  output: { 200: Playlist },
})

export const cataloguePlaylistListItems = operation({
  name: 'catalogue.playlist.list_items',
  summary: 'List the videos of a playlist',
  call: 'GET /api/playlists/:id/items',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: IdParams, query: PageQuery },
  output: { 200: PlaylistItemPage },
})

export const cataloguePlaylistExport = operation({
  name: 'catalogue.playlist.export',
  summary: "Export the caller's playlists",
  call: 'GET /api/export/playlists',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: PlaylistExportPage },
})

export const cataloguePlaylistCreate = operation({
  name: 'catalogue.playlist.create',
  summary: 'Create a playlist',
  call: 'POST /api/playlists',
  audience: 'user',
  token: 'playlists',
  anonymous: 'allowed',
  input: { body: CreatePlaylistBody },
  output: { 201: Playlist },
})

/** Changes name, description, shuffle, loop, auto-advance and visibility. */
export const cataloguePlaylistUpdate = operation({
  name: 'catalogue.playlist.update',
  summary: 'Change a playlist',
  call: 'PATCH /api/playlists/:id',
  audience: 'user',
  token: 'playlists',
  anonymous: 'allowed',
  input: { params: IdParams, body: UpdatePlaylistBody },
  output: { 200: Playlist },
})

export const cataloguePlaylistDelete = operation({
  name: 'catalogue.playlist.delete',
  summary: 'Delete a playlist',
  call: 'DELETE /api/playlists/:id',
  audience: 'user',
  token: 'playlists',
  anonymous: 'allowed',
  input: { params: IdParams },
  output: { 204: null },
})

export const cataloguePlaylistAddItem = operation({
  name: 'catalogue.playlist.add_item',
  summary: 'Add a video to a playlist',
  call: 'POST /api/playlists/:id/items',
  audience: 'user',
  token: 'playlists',
  anonymous: 'allowed',
  input: { params: IdParams, body: AddPlaylistItemBody },
  output: { 201: PlaylistItem },
})

export const cataloguePlaylistRemoveItem = operation({
  name: 'catalogue.playlist.remove_item',
  summary: 'Remove a video from a playlist',
  call: 'DELETE /api/playlists/:id/items/:itemId',
  audience: 'user',
  token: 'playlists',
  anonymous: 'allowed',
  input: { params: PlaylistItemParams },
  output: { 204: null },
})

export const cataloguePlaylistReorder = operation({
  name: 'catalogue.playlist.reorder',
  summary: 'Reorder a playlist',
  call: 'PUT /api/playlists/:id/items/order',
  audience: 'user',
  token: 'playlists',
  anonymous: 'allowed',
  input: { params: IdParams, body: OrderBody },
  output: { 204: null },
})

export const cataloguePlaylistEnsureVideo = operation({
  name: 'catalogue.playlist.ensure_video',
  summary: 'Add a video to a playlist unless it is in it',
  call: 'PUT /api/playlists/:id/videos/:videoId',
  audience: 'user',
  token: 'playlists',
  anonymous: 'allowed',
  input: { params: PlaylistVideoParams },
  output: { 200: EnsureVideoResult },
})

export const cataloguePlaylistListEntries = operation({
  name: 'catalogue.playlist.list_entries',
  summary: "List which of the caller's playlists contain a video",
  call: 'GET /api/playlists/entries',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  input: { query: PlaylistEntriesQuery },
  output: { 200: PlaylistEntries },
})

/** Curation items by section and position. `ETag` is the version of the whole order. */
export const catalogueCurationList = operation({
  name: 'catalogue.curation.list',
  summary: 'List curated videos',
  call: 'GET /api/curation',
  audience: 'home:edit',
  token: 'read',
  anonymous: 'allowed',
  versioned: ['ETag'],
  input: { query: PageQuery },
  output: { 200: CurationPage },
})

export const catalogueCurationAdd = operation({
  name: 'catalogue.curation.add',
  summary: 'Add a video to a section of the home page',
  call: 'POST /api/curation',
  audience: 'home:edit',
  token: 'home',
  input: { body: AddCurationBody },
  output: { 201: CurationItem },
})

/** Switches an item on or off, or moves it. */
export const catalogueCurationUpdate = operation({
  name: 'catalogue.curation.update',
  summary: 'Change a curated video',
  call: 'PATCH /api/curation/:id',
  audience: 'home:edit',
  token: 'home',
  versioned: ['If-Match'],
  input: { params: IdParams, body: UpdateCurationBody },
  output: { 200: CurationItem },
})

export const catalogueCurationRemove = operation({
  name: 'catalogue.curation.remove',
  summary: 'Remove a curated video',
  call: 'DELETE /api/curation/:id',
  audience: 'home:edit',
  token: 'home',
  input: { params: IdParams },
  output: { 204: null },
})
