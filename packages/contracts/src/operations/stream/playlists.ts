import {
  AddChannelVideosBody,
  AddChannelVideosResult,
  ChannelItemParams,
  ChannelOrderBody,
  ChannelPlaylistPage,
  ChannelPlaylistQuery,
  RemoveChannelItemsBody,
  RemoveItemsResult,
  SavePlaylistBody,
  SavePlaylistResult,
  VideoReadiness,
} from '../../http/channel-playlists.ts'
import { ChannelParams } from '../../http/channels.ts'
import { LookUpVideosQuery } from '../../http/videos.ts'
import { operation } from '../../operation.ts'

/** `ETag` is the version of the whole playlist, the same on each page. */
export const streamPlaylistList = operation({
  name: 'stream.playlist.list',
  summary: 'List the playlist of a channel',
  call: 'GET /api/channels/:id/playlist',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  versioned: ['ETag'],
  input: { params: ChannelParams, query: ChannelPlaylistQuery },
  output: { 200: ChannelPlaylistPage },
})

export const streamPlaylistAdd = operation({
  name: 'stream.playlist.add',
  summary: 'Add videos to the playlist of a channel',
  call: 'POST /api/channels/:id/playlist',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['If-Match'],
  input: { params: ChannelParams, body: AddChannelVideosBody },
  output: { 201: AddChannelVideosResult },
})

export const streamPlaylistRemove = operation({
  name: 'stream.playlist.remove',
  summary: 'Remove a video from the playlist of a channel',
  call: 'DELETE /api/channels/:id/playlist/:itemId',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['If-Match'],
  input: { params: ChannelItemParams },
  output: { 204: null },
})

export const streamPlaylistRemoveMany = operation({
  name: 'stream.playlist.remove_many',
  summary: 'Remove several videos from the playlist of a channel',
  call: 'DELETE /api/channels/:id/playlist',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['If-Match'],
  // Bytes of 10,000 ids with quotes and commas, and a margin.
  bodyBytes: 524_288,
  input: { params: ChannelParams, body: RemoveChannelItemsBody },
  output: { 200: RemoveItemsResult },
})

export const streamPlaylistOrder = operation({
  name: 'stream.playlist.order',
  summary: 'Reorder the playlist of a channel',
  call: 'PUT /api/channels/:id/playlist/order',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['If-Match'],
  // Bytes of 10,000 ids with quotes and commas, and a margin.
  bodyBytes: 524_288,
  input: { params: ChannelParams, body: ChannelOrderBody },
  output: { 204: null },
})

/** Removes, adds and moves items in one change. */
export const streamPlaylistSave = operation({
  name: 'stream.playlist.save',
  summary: 'Replace the playlist of a channel',
  call: 'PUT /api/channels/:id/playlist',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['ETag', 'If-Match'],
  // Bytes of 10,000 ids and 2,000 added items, with quotes and commas.
  bodyBytes: 1_048_576,
  input: { params: ChannelParams, body: SavePlaylistBody },
  output: { 200: SavePlaylistResult },
})

/** The playlist of the default channel. While it is empty, the fallback plays. */
export const streamLivePlaylistList = operation({
  name: 'stream.live_playlist.list',
  summary: 'List the live playlist',
  call: 'GET /api/live-playlist',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { query: ChannelPlaylistQuery },
  output: { 200: ChannelPlaylistPage },
})

/** Appends videos in the order of the selection ("Add to Live"). */
export const streamLivePlaylistAdd = operation({
  name: 'stream.live_playlist.add',
  summary: 'Add videos to the live playlist',
  call: 'POST /api/live-playlist',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { body: AddChannelVideosBody },
  output: { 201: AddChannelVideosResult },
})

/** Removes all items, so that the default channel plays its fallback. */
export const streamLivePlaylistClear = operation({
  name: 'stream.live_playlist.clear',
  summary: 'Empty the live playlist',
  call: 'DELETE /api/live-playlist',
  audience: 'schedules:edit',
  token: 'schedules',
  output: { 200: RemoveItemsResult },
})

export const streamVideoCheckReadiness = operation({
  name: 'stream.video.check_readiness',
  summary: 'Check which videos can be added to a channel',
  call: 'GET /api/live-playlist/readiness',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { query: LookUpVideosQuery },
  output: { 200: VideoReadiness },
})
