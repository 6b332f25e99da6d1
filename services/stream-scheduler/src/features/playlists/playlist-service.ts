import type { AuditAction } from '@looptide/contracts/audit-actions'
import {
  type ChannelPlaylistItem,
  MAX_PLAYLIST_ITEMS,
  type SavePlaylistBody,
  type SavePlaylistResult,
} from '@looptide/contracts/http/channels'
import { appendAudit } from '@looptide/service-kit/audit'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/conditional'
import { AppError, errors } from '@looptide/service-kit/errors'
import type { Cause } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx, VideoRow } from '../../db/schema.ts'
import { presentVideo } from '../../timeline/present-programme.ts'
import type { TimelineMemory } from '../../timeline/timeline-memory.ts'
import { lockChannel, updateChannel } from '../../timeline/timeline-repository.ts'
import type { TimelineWriter } from '../../timeline/timeline-writer.ts'
import { type CatalogueAddress, UnknownVideos, withReadiness } from '../../videos/unknown-videos.ts'
import { minimalMoves } from './minimal-moves.ts'
import { planSave } from './plan-save.ts'
import * as playlists from './playlist-repository.ts'

interface PlaylistDeps {
  db: Kysely<Database>
  memory: TimelineMemory
  writer: TimelineWriter
  now: () => number
  catalogue: CatalogueAddress
}

/**
 * What a channel plays. The default channel's playlist is the live playlist. Each change plans the future anew,
 * from the next programme on, in its own transaction. A change with an `expected` version throws `precondition_failed`,
 * and changes nothing, when the playlist has another version by then.
 */
export class PlaylistService {
  readonly #deps: PlaylistDeps

  constructor(deps: PlaylistDeps) {
    this.#deps = deps
  }

  /**
   * Adds videos in their order, behind the last one or at `position` (from 0). Throws `not_found` for a channel or video
   * that does not exist, `video_not_ready` for videos that the scheduler has not received from the catalogue yet, and
   * `unprocessable` when the playlist would hold more than {@link MAX_PLAYLIST_ITEMS}.
   */
  add(
    channelId: string,
    videoIds: readonly string[],
    cause: Cause,
    { position, expected }: { position?: number | undefined; expected?: ExpectedVersion } = {},
  ): Promise<ChannelPlaylistItem[]> {
    const add = () => this.#addNow(channelId, videoIds, cause, position, expected)
    return withReadiness(this.#deps.catalogue, add)
  }

  #addNow(
    channelId: string,
    videoIds: readonly string[],
    cause: Cause,
    position: number | undefined,
    expected: ExpectedVersion,
  ): Promise<ChannelPlaylistItem[]> {
    return this.#edit(channelId, cause, expected, async (trx, channel) => {
      const known = await holdAll(trx, videoIds)
      const count = await playlists.countItems(trx, channelId)
      if (count + videoIds.length > MAX_PLAYLIST_ITEMS) {
        throw new AppError('unprocessable', `A playlist holds at most ${MAX_PLAYLIST_ITEMS} videos.`)
      }
      const items = await playlists.insertItems(trx, channelId, videoIds, cause.actorId ?? null)
      const first = Math.min(position ?? count, count)
      if (first < count) await this.#moveInto(trx, channelId, items.length, first)
      await this.#deps.writer.playlistChanged(trx, videoIds)
      await audit(trx, 'playlist.add', channel, { after: { videoIds, position: first } }, cause)
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

  /** Removes several items in one change and returns how many of them there were. Throws `not_found` for a channel. */
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
      const details = { removed: videoIds.length }
      await audit(trx, 'playlist.remove_many', channel, { before: { videoIds }, details }, cause)
      return videoIds.length
    })
  }

  /** All items in a new order, at once. Throws `conflict` when others were added or removed meanwhile. */
  async order(
    channelId: string,
    itemIds: readonly string[],
    cause: Cause,
    expected?: ExpectedVersion,
  ): Promise<void> {
    await this.#edit(channelId, cause, expected, async (trx, channel) => {
      const current = await playlists.readOrder(trx, channelId)
      const places = new Map(current.map((item) => [item.id, item]))
      const wanted = itemIds.flatMap((id) => places.get(id) ?? [])
      if (wanted.length !== itemIds.length || wanted.length !== current.length) {
        throw errors.conflict('The playlist was changed by someone else. Please reload.')
      }
      const moves = minimalMoves(wanted)
      await playlists.movePlaces(trx, moves)
      const details = { moved: moves.slice(0, 100).map((move) => move.id), count: moves.length }
      await audit(trx, 'playlist.order', channel, { details }, cause)
    })
  }

  /**
   * Makes the playlist what `wanted` says, in one change. Throws `conflict` when it names items that are neither in the
   * playlist nor added, and what {@link add} throws.
   */
  save(
    channelId: string,
    wanted: SavePlaylistBody,
    cause: Cause,
    expected?: ExpectedVersion,
  ): Promise<SavePlaylistResult & { version: string }> {
    return withReadiness(this.#deps.catalogue, () =>
      this.#edit(channelId, cause, expected, async (trx, channel) => {
        const { removed, added } = planSave(await playlists.readOrder(trx, channelId), wanted)
        const addedIds = added.map(({ videoId }) => videoId)
        await holdAll(trx, addedIds)
        const removedIds = await playlists.deleteItemsById(trx, channelId, removed)
        const items = await playlists.insertNamedItems(trx, channelId, added, cause.actorId ?? null)
        if (items.length < added.length) throw errors.conflict('The id of an added item is already in use.')
        const moves = await this.#arrange(trx, channelId, wanted.itemIds)
        await this.#deps.writer.playlistChanged(trx, [...removedIds, ...addedIds])
        await auditSave(trx, channel, { removedIds, addedIds, moves }, cause)
        return {
          added: addedIds.length,
          removed: removedIds.length,
          moved: moves.length,
          version: await playlists.readVersion(trx, channelId),
        }
      }),
    )
  }

  /** Brings the items into this order and returns the ids of those that it moved. */
  async #arrange(trx: Trx, channelId: string, itemIds: readonly string[]): Promise<string[]> {
    const places = new Map((await playlists.readOrder(trx, channelId)).map((item) => [item.id, item]))
    const moves = minimalMoves(itemIds.flatMap((id) => places.get(id) ?? []))
    await playlists.movePlaces(trx, moves)
    return moves.map(({ id }) => id)
  }

  /** Moves the last `count` items to the places from `first` on. */
  async #moveInto(trx: Trx, channelId: string, count: number, first: number): Promise<void> {
    const all = await playlists.readOrder(trx, channelId)
    const added = all.splice(-count)
    await playlists.movePlaces(trx, minimalMoves(all.toSpliced(first, 0, ...added)))
  }

  /** Takes everything out; the default channel then plays its fallback. Answers how many there were. */
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
    const { db, memory } = this.#deps
    const result = await db.transaction().execute(async (trx) => {
      const channel = await lockChannel(trx, channelId)
      if (channel === undefined) throw errors.notFound('This channel')
      if (expected !== undefined) {
        requireVersion(expected, etagOf(await playlists.readVersion(trx, channelId)))
      }
      const changed = await change(trx, channel)
      await this.#follow(trx, channel, cause)
      return changed
    })
    await memory.refresh([channelId])
    return result
  }

  /** A channel that is off the air has no future to plan; it only forgets what it remembered of its playlist. */
  async #follow(trx: Trx, channel: ChannelRow, cause: Cause): Promise<void> {
    const { writer, now } = this.#deps
    if (channel.status !== 'idle') await writer.replan(trx, channel, now(), 'edit', cause)
    else await updateChannel(trx, channel.id, { loopVersion: channel.loopVersion + 1 })
  }
}

/** The ETag of a playlist's version. */
export const etagOf = (version: string): string => `"${version}"`

/** The videos, which stay until the transaction ends. Throws {@link UnknownVideos}. */
async function holdAll(trx: Trx, videoIds: readonly string[]): Promise<Map<string, VideoRow>> {
  const known = await playlists.holdVideos(trx, videoIds)
  const unknown = videoIds.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new UnknownVideos(unknown)
  return known
}

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
  told: { before?: unknown; after?: unknown; details?: object },
  cause: Cause,
): Promise<void> {
  const details = { channelName: channel.name, ...told.details }
  const facts = { ...told, action, targetType: 'channel', targetId: channel.id, details }
  await appendAudit(trx, 'stream.audit.recorded.v1', facts, cause)
}

/** A save enters the audit log as the changes that it consists of. */
async function auditSave(
  trx: Trx,
  channel: ChannelRow,
  { removedIds, addedIds, moves }: { removedIds: string[]; addedIds: string[]; moves: string[] },
  cause: Cause,
): Promise<void> {
  if (removedIds.length > 0) {
    const facts = { before: { videoIds: removedIds }, details: { removed: removedIds.length } }
    await audit(trx, 'playlist.remove_many', channel, facts, cause)
  }
  if (addedIds.length > 0) {
    await audit(trx, 'playlist.add', channel, { after: { videoIds: addedIds } }, cause)
  }
  if (moves.length > 0) {
    const details = { moved: moves.slice(0, 100), count: moves.length }
    await audit(trx, 'playlist.order', channel, { details }, cause)
  }
}
