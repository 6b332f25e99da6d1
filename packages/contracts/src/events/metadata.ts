import { Type } from 'typebox'
import { Instant, Nullable, Uuid } from '../common.ts'
import { auditEvent, event } from '../event.ts'
import { PlaylistFailed, PlaylistRead } from '../playlist-events.ts'
import { MAX_VIDEOS_PER_EVENT } from './catalogue.ts'

const VideoMetadata = Type.Object({
  youtubeId: Type.String(),
  title: Type.String(),
  description: Nullable(Type.String()),
  thumbnailUrl: Nullable(Type.String()),
  artistName: Nullable(Type.String()),
  durationMs: Nullable(Type.Integer({ minimum: 0 })),
  embeddable: Type.Boolean(),
  regionBlocked: Type.Array(Type.String()),
})

/** The events of the metadata worker. */
export const metadataEvents = [
  /** A video's metadata from YouTube. */
  event('metadata.video.resolved.v1', { data: VideoMetadata, consumers: ['catalogue'] }),
  /**
   * Several events `metadata.video.resolved.v1` of one request in one message. `eventId` is the id that the event has on its
   * own: a look-up that is repeated after a crash may come in other company, and is applied once.
   */
  event('metadata.videos.resolved.v1', {
    data: Type.Object({
      videos: Type.Array(Type.Object({ eventId: Uuid, video: VideoMetadata }), {
        minItems: 1,
        maxItems: MAX_VIDEOS_PER_EVENT,
      }),
    }),
    consumers: ['catalogue'],
    parts: ({ videos }) =>
      videos.map(({ eventId, video }) => ({
        id: eventId,
        type: 'metadata.video.resolved.v1',
        aggregateId: video.youtubeId,
        data: video,
      })),
  }),
  /**
   * YouTube does not play the video: removed, private, not embeddable … A premiere or live stream (`upcoming`, `live`) is to
   * be looked up again at `lookUpAgainAt`.
   */
  event('metadata.video.unavailable.v1', {
    data: Type.Object({
      youtubeId: Type.String(),
      reason: Type.String(),
      lookUpAgainAt: Type.Optional(Instant),
    }),
    consumers: ['catalogue'],
  }),
  /** Measured duration of a media file. */
  event('metadata.media.probed.v1', {
    data: Type.Object({
      videoId: Uuid,
      url: Type.String(),
      durationMs: Type.Integer({ minimum: 1 }),
    }),
    consumers: ['catalogue'],
  }),
  event('metadata.playlist.read.v1', {
    data: PlaylistRead,
    consumers: ['catalogue'],
  }),
  event('metadata.playlist.failed.v1', {
    data: PlaylistFailed,
    consumers: ['catalogue'],
  }),
  /** Jobs or results were lost, or may have been: services request missing metadata again. */
  event('metadata.queue.emptied.v1', {
    data: Type.Object({}),
    consumers: ['catalogue'],
  }),
  auditEvent('metadata'),
] as const
