import type { AuditAction } from '@looptide/contracts/audit-actions'
import {
  type ChannelPlaylistItem,
  MAX_PLAYLIST_ITEMS,
  type SavePlaylistBody,
  type SavePlaylistResult,
} from '@looptide/contracts/http/channel-playlists'
import { appendAudit } from '@looptide/service-kit/audit/audit'
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
      const videoId = await playlists.deleteItem(trx, channelId, itemId)
      if (videoId === undefined) throw errors.notFound('This video of the playlist')
      await this.#deps.writer.playlistChanged(trx, [videoId])
      await audit(trx, 'playlist.remove', channel, { before: { itemId, videoId } }, cause)
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
      const videoIds = await playlists.deleteItemsById(trx, channelId, itemIds)
      if (videoIds.length === 0) return 0
      await this.#deps.writer.playlistChanged(trx, videoIds)
      const details = { removed: videoIds.length, itemIds }
      await audit(trx, 'playlist.remove_many', channel, { before: { videoIds }, details }, cause)
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
      const moves = minimalMoves(ordered)
      await playlists.updatePositions(trx, moves)
      const details = { moved: moves.slice(0, 100).map((move) => move.id), count: moves.length }
      await audit(trx, 'playlist.order', channel, { details }, cause)
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
        const { removed, added } = planSave(await playlists.readOrder(trx, channelId), body)
        const addedIds = added.map(({ videoId }) => videoId)
        await lockAllVideos(trx, addedIds)
        const removedIds = await playlists.deleteItemsById(trx, channelId, removed)
        const items = await playlists.insertNamedItems(trx, channelId, added, cause.actorId ?? null)
        if (items.length < added.length) throw errors.conflict('The id of an added item is already in use.')
        const moves = await this.#applyOrder(trx, channelId, body.itemIds)
        await this.#deps.writer.playlistChanged(trx, [...removedIds, ...addedIds])
        await auditSave(trx, channel, { removed, removedIds, added, moves }, cause)
        return {
          added: addedIds.length,
          removed: removedIds.length,
          moved: moves.length,
          version: await playlists.readVersion(trx, channelId),
        }
      }),
    )
  }

  /** Brings the items into this order. Returns the ids of the moved ones. */
  async #applyOrder(trx: Trx, channelId: string, itemIds: readonly string[]): Promise<string[]> {
    const byId = new Map((await playlists.readOrder(trx, channelId)).map((item) => [item.id, item]))
    const moves = minimalMoves(itemIds.flatMap((id) => byId.get(id) ?? []))
    await playlists.updatePositions(trx, moves)
    return moves.map(({ id }) => id)
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
      const before = await playlists.readEntries(trx, channelId)
      const removed = await playlists.deleteItems(trx, channelId)
      const videoIds = before.map((item) => item.videoId)
      await this.#deps.writer.playlistChanged(trx, videoIds)
      const itemIds = before.slice(0, 500).map((item) => item.itemId)
      await audit(trx, 'playlist.clear', channel, { before: { removed, itemIds } }, cause)
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

async function audit(
  trx: Trx,
  action: AuditAction,
  channel: ChannelRow,
  states: { before?: unknown; after?: unknown; details?: object },
  cause: Cause,
): Promise<void> {
  const details = { channelName: channel.name, ...states.details }
  const entry = { ...states, action, targetType: 'channel', targetId: channel.id, details }
  await appendAudit(trx, 'stream.audit.recorded.v1', entry, cause)
}

/** Additions that one audit entry names: it holds no more ids, and its Undo needs them all. */
const MAX_AUDITED_ADDITIONS = 500

/** Writes an audit entry for each kind of change that a save consists of. `removed`: ids of items, `removedIds`: of videos. */
async function auditSave(
  trx: Trx,
  channel: ChannelRow,
  {
    removed,
    removedIds,
    added,
    moves,
  }: Pick<ReturnType<typeof planSave>, 'removed' | 'added'> & Record<'removedIds' | 'moves', string[]>,
  cause: Cause,
): Promise<void> {
  if (removedIds.length > 0) {
    const states = {
      before: { videoIds: removedIds },
      details: { removed: removedIds.length, itemIds: removed },
    }
    await audit(trx, 'playlist.remove_many', channel, states, cause)
  }
  for (let from = 0; from < added.length; from += MAX_AUDITED_ADDITIONS) {
    const some = added.slice(from, from + MAX_AUDITED_ADDITIONS)
    const after = { videoIds: some.map(({ videoId }) => videoId) }
    const details = { itemIds: some.map(({ itemId }) => itemId) }
    await audit(trx, 'playlist.add', channel, { after, details }, cause)
  }
  if (moves.length > 0) {
    const details = { moved: moves.slice(0, 100), count: moves.length }
    await audit(trx, 'playlist.order', channel, { details }, cause)
  }
}
