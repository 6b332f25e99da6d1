import type { Envelope } from '@looptide/contracts/events'
import { MAX_PLAYLIST_ITEMS } from '@looptide/contracts/http/channels'
import { appendAudit } from '@looptide/service-kit/audit'
import type { Logger } from '@looptide/service-kit/logger'
import type { Trx } from '../db/schema.ts'
import {
  countItems,
  holdVideos,
  insertItems,
  readEntries,
} from '../features/playlists/playlist-repository.ts'
import { markStaleFor } from '../timeline/stale-repository.ts'
import { lockChannel, updateChannel } from '../timeline/timeline-repository.ts'

/**
 * A moderator accepted videos for a channel: those it does not have yet are put at the end of its playlist, as far as
 * there is room. The catalogue does not know channels, so an unknown one is logged and ignored.
 */
export const onAiringRequested =
  (logger: Logger) =>
  async (trx: Trx, event: Envelope<'catalogue.airing.requested.v1'>): Promise<void> => {
    const { channelId, videoIds } = event.data
    const channel = await lockChannel(trx, channelId)
    if (channel === undefined) {
      logger.warn({ channelId, videoIds }, 'airing ignored: unknown channel')
      return
    }
    const known = await holdVideos(trx, videoIds)
    const listed = new Set((await readEntries(trx, channelId)).map((entry) => entry.videoId))
    const wanted = videoIds.filter((id) => known.has(id) && !listed.has(id))
    const room = Math.max(0, MAX_PLAYLIST_ITEMS - (await countItems(trx, channelId)))
    const added = wanted.slice(0, room)
    if (added.length < wanted.length) {
      logger.warn({ channelId, videoIds: wanted.slice(room) }, 'airing ignored: playlist full')
    }
    if (added.length === 0) return
    await insertItems(trx, channelId, added, event.actorId)
    if (channel.status === 'idle')
      await updateChannel(trx, channelId, { loopVersion: channel.loopVersion + 1 })
    await markStaleFor(trx, ...added)
    const position = listed.size
    const facts = { action: 'playlist.add', targetType: 'channel', targetId: channelId } as const
    const details = { channelName: channel.name }
    const after = { videoIds: added, position }
    await appendAudit(trx, 'stream.audit.recorded.v1', { ...facts, after, details }, event)
  }
