import {
  type ChannelPlaylistItem,
  MAX_PLAYLIST_ITEMS,
  type SavePlaylistBody,
  type SavePlaylistResult,
} from '@looptide/contracts/http/channel-playlists'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx, VideoRow } from '../db/schema.ts'
import { type CatalogueAccess, UnknownVideosError, withReadinessCheck } from '../library/video-readiness.ts'
import { presentVideo } from '../timeline/present-programme.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { lockChannel, updateChannel } from '../timeline/timeline-repository.ts'
import type { TimelineWriter } from '../timeline/timeline-writer.ts'
import { minimalMoves } from './minimal-moves.ts'
import { planSave } from './plan-save.ts'
import { audit, auditSave, removalOf, reorderOf } from './playlist-audit.ts'
import * as playlists from './playlist-repository.ts'

interface PlaylistDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  writer: TimelineWriter
  now: () => number
  catalogue: CatalogueAccess
}

/**
 * Changes the playlists of channels. The default channel's playlist is the live playlist. Each change plans the future
 * again from the next programme, in one transaction. A change with an `expected` version throws `precondition_failed` if
 * the playlist has another version.
 */
export class PlaylistService {
  readonly #deps: PlaylistDeps

  constructor(deps: PlaylistDeps) {
    this.#deps = deps
  }

  /**
   * Adds videos in their order, at the end or at `position` (from 0). Throws `not_found` for an unknown channel or video,
   * `video_not_ready` for videos that have not arrived from the catalogue yet, and `unprocessable` if the playlist would
   * have more than {@link MAX_PLAYLIST_ITEMS} items.
   */
  add(
    channelId: string,
    videoIds: readonly string[],
    cause: Cause,
    { position, expected }: { position?: number | undefined; expected?: ExpectedVersion } = {},
  ): Promise<ChannelPlaylistItem[]> {
    const add = () => this.#addNow(channelId, videoIds, cause, position, expected)
    return withReadinessCheck(this.#deps.catalogue, add)
  }

  #addNow(
    channelId: string,
    videoIds: readonly string[],
    cause: Cause,
    position: number | undefined,
    expected: ExpectedVersion,
  ): Promise<ChannelPlaylistItem[]> {
    return this.#edit(channelId, cause, expected, async (trx, channel) => {
      const known = await lockAllVideos(trx, videoIds)
      const count = await playlists.countItems(trx, channelId)
      if (count + videoIds.length > MAX_PLAYLIST_ITEMS) {
        throw new AppError('unprocessable', `A playlist holds at most ${MAX_PLAYLIST_ITEMS} videos.`)
      }
      const items = await playlists.insertItems(trx, channelId, videoIds, cause.actorId ?? null)
      const first = Math.min(position ?? count, count)
      if (first < count) await this.#moveLastItems(trx, channelId, items.length, first)
      await this.#deps.writer.playlistChanged(trx, videoIds)
      const details = { itemIds: items.map(({ id }) => id) }
      await audit(trx, 'playlist.add', channel, { after: { videoIds, position: first }, details }, cause)
      return items.map((item, index) => presentItem(item, first + index, known.get(item.videoId)))
    })
  }

  /** Throws `not_found`. */
  async remove(channelId: string, itemId: string, cause: Cause, expected?: ExpectedVersion): Promise<void> {
    await this.#edit(channelId, cause, expected, async (trx, channel) => {
      const removal = removalOf(await playlists.readOrder(trx, channelId), [itemId])
      const videoId = await playlists.deleteItem(trx, channelId, itemId)
      if (videoId === undefined) throw errors.notFound('This video of the playlist')
      await this.#deps.writer.playlistChanged(trx, [videoId])
      await audit(trx, 'playlist.remove', channel, removal, cause)
    })
  }

  /** Removes items in one change. Returns how many the playlist had. Throws `not_found` for an unknown channel. */
  removeItems(
    channelId: string,
    itemIds: readonly string[],
    cause: Cause,
    expected?: ExpectedVersion,
  ): Promise<number> {
    return this.#edit(channelId, cause, expected, async (trx, channel) => {
      const removal = removalOf(await playlists.readOrder(trx, channelId), itemIds)
      const videoIds = await playlists.deleteItemsById(trx, channelId, itemIds)
      if (videoIds.length === 0) return 0
      await this.#deps.writer.playlistChanged(trx, videoIds)
      await audit(trx, 'playlist.remove_many', channel, removal, cause)
      return videoIds.length
    })
  }

  /** Sets the order of all items. Throws `conflict` if items were added or removed since the client loaded them. */
  async order(
    channelId: string,
    itemIds: readonly string[],
    cause: Cause,
    expected?: ExpectedVersion,
  ): Promise<void> {
    await this.#edit(channelId, cause, expected, async (trx, channel) => {
      const current = await playlists.readOrder(trx, channelId)
      const byId = new Map(current.map((item) => [item.id, item]))
      const ordered = itemIds.flatMap((id) => byId.get(id) ?? [])
      if (ordered.length !== itemIds.length || ordered.length !== current.length) {
        throw errors.conflict('The playlist was changed by someone else. Please reload.')
      }
      const before = await playlists.readVersion(trx, channelId)
      await playlists.updatePositions(trx, minimalMoves(ordered))
      const after = await playlists.readVersion(trx, channelId)
      const reorder = reorderOf(current, itemIds, { before, after })
      await audit(trx, 'playlist.order', channel, reorder, cause)
    })
  }

  /**
   * Replaces the playlist in one change: removes, adds and moves items. Throws `conflict` for items that are neither in
   * the playlist nor added, and the errors of {@link add}.
   */
  save(
    channelId: string,
    body: SavePlaylistBody,
    cause: Cause,
    expected?: ExpectedVersion,
  ): Promise<SavePlaylistResult & { version: string }> {
    return withReadinessCheck(this.#deps.catalogue, () =>
      this.#edit(channelId, cause, expected, async (trx, channel) => {
        const current = await playlists.readOrder(trx, channelId)
        const { removed, added } = planSave(current, body)
        const addedIds = added.map(({ videoId }) => videoId)
        await lockAllVideos(trx, addedIds)
        const removedIds = await playlists.deleteItemsById(trx, channelId, removed)
        const items = await playlists.insertNamedItems(trx, channelId, added, cause.actorId ?? null)
        if (items.length < added.length) throw errors.conflict('The id of an added item is already in use.')
        const unordered = await playlists.readOrder(trx, channelId)
        const before = await playlists.readVersion(trx, channelId)
        const moved = await this.#applyOrder(trx, unordered, body.itemIds)
        const version = await playlists.readVersion(trx, channelId)
        await this.#deps.writer.playlistChanged(trx, [...removedIds, ...addedIds])
        const reorder =
          moved === 0 ? undefined : reorderOf(unordered, body.itemIds, { before, after: version })
        await auditSave(trx, channel, { removal: removalOf(current, removed), added, reorder }, cause)
        return { added: addedIds.length, removed: removedIds.length, moved, version }
      }),
    )
  }

  /** Brings the items into this order. Returns the number of items whose stored position changed. */
  async #applyOrder(
    trx: Trx,
    items: Awaited<ReturnType<typeof playlists.readOrder>>,
    itemIds: readonly string[],
  ): Promise<number> {
    const byId = new Map(items.map((item) => [item.id, item]))
    const moves = minimalMoves(itemIds.flatMap((id) => byId.get(id) ?? []))
    await playlists.updatePositions(trx, moves)
    return moves.length
  }

  /** Moves the last `count` items to the index `first`. */
  async #moveLastItems(trx: Trx, channelId: string, count: number, first: number): Promise<void> {
    const all = await playlists.readOrder(trx, channelId)
    const added = all.splice(-count)
    await playlists.updatePositions(trx, minimalMoves(all.toSpliced(first, 0, ...added)))
  }

  /** Removes all items and returns their number. The default channel then plays its fallback. */
  clear(channelId: string, cause: Cause): Promise<number> {
    return this.#edit(channelId, cause, undefined, async (trx, channel) => {
      const items = await playlists.readOrder(trx, channelId)
      const removed = await playlists.deleteItems(trx, channelId)
      await this.#deps.writer.playlistChanged(
        trx,
        items.map(({ videoId }) => videoId),
      )
      const removal = removalOf(
        items,
        items.map(({ id }) => id),
      )
      await audit(trx, 'playlist.clear', channel, removal, cause)
      return removed
    })
  }

  async #edit<T>(
    channelId: string,
    cause: Cause,
    expected: ExpectedVersion,
    change: (trx: Trx, channel: ChannelRow) => Promise<T>,
  ): Promise<T> {
    const { db, timelines } = this.#deps
    const result = await db.transaction().execute(async (trx) => {
      const channel = await lockChannel(trx, channelId)
      if (channel === undefined) throw errors.notFound('This channel')
      if (expected !== undefined) {
        requireVersion(expected, etagOf(await playlists.readVersion(trx, channelId)))
      }
      const changed = await change(trx, channel)
      await this.#replan(trx, channel, cause)
      return changed
    })
    await timelines.refresh([channelId])
    return result
  }

  /** Plans the future again. A channel off the air has none, so only its cached loop is invalidated. */
  async #replan(trx: Trx, channel: ChannelRow, cause: Cause): Promise<void> {
    const { writer, now } = this.#deps
    if (channel.status !== 'idle') await writer.replan(trx, channel, now(), 'edit', cause)
    else await updateChannel(trx, channel.id, { loopVersion: channel.loopVersion + 1 })
  }
}

/** The ETag of a playlist's version. */
export const etagOf = (version: string): string => `"${version}"`

/** Locks the videos against removal until the transaction ends. Throws {@link UnknownVideosError}. */
async function lockAllVideos(trx: Trx, videoIds: readonly string[]): Promise<Map<string, VideoRow>> {
  const known = await playlists.lockVideos(trx, videoIds)
  const unknown = videoIds.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new UnknownVideosError(unknown)
  return known
}

/** An item of a channel's playlist; its video is null if it is not playable or not known yet. */
export function presentItem(
  item: playlists.PlaylistItemRow,
  position: number,
  video: VideoRow | undefined,
): ChannelPlaylistItem {
  const { id, videoId } = item
  return { id, videoId, position, video: video === undefined ? null : presentVideo(video) }
}
