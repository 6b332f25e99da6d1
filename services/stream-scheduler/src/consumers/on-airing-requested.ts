import type { Envelope } from '@looptide/contracts/events'
import { MAX_PLAYLIST_ITEMS } from '@looptide/contracts/http/channel-playlists'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Trx } from '../db/schema.ts'
import { countItems, insertItems, lockVideos, readEntries } from '../playlists/playlist-repository.ts'
import { markChannelsStale } from '../timeline/stale-repository.ts'
import { lockChannel, updateChannel } from '../timeline/timeline-repository.ts'

/**
 * Appends videos that a moderator accepted for a channel to its playlist, without those it has, up to the playlist's
 * maximum length. The catalogue has no list of channels, so an unknown channel is logged and ignored.
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
    const known = await lockVideos(trx, videoIds)
    const listed = new Set((await readEntries(trx, channelId)).map((entry) => entry.videoId))
    const missing = videoIds.filter((id) => known.has(id) && !listed.has(id))
    const freePlaces = Math.max(0, MAX_PLAYLIST_ITEMS - (await countItems(trx, channelId)))
    const added = missing.slice(0, freePlaces)
    if (added.length < missing.length) {
      logger.warn({ channelId, videoIds: missing.slice(freePlaces) }, 'airing ignored: playlist full')
    }
    if (added.length === 0) return
    await insertItems(trx, channelId, added, event.actorId)
    if (channel.status === 'idle')
      await updateChannel(trx, channelId, { loopVersion: channel.loopVersion + 1 })
    await markChannelsStale(trx, ...added)
    const position = listed.size
    const target = { action: 'playlist.add', targetType: 'channel', targetId: channelId } as const
    const details = { channelName: channel.name }
    const after = { videoIds: added, position }
    await appendAudit(trx, 'stream.audit.recorded.v1', { ...target, after, details }, event)
  }
