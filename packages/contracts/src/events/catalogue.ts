import { type Static, Type } from 'typebox'
import { ChannelId, Nullable, Uuid } from '../common.ts'
import { auditEvent, event, type Push, push, toAdmins } from '../event.ts'
import { MAX_DECISIONS_PER_REQUEST } from '../http/submissions.ts'
import { VideoJob } from '../http/video-jobs.ts'
import { Video } from '../http/videos.ts'
import { PlaylistRequested } from '../playlist-events.ts'
import { topics } from '../realtime.ts'

/**
 * A video in an event. Previous releases publish videos without tags, trim points and likes, and their events are stored
 * for a week.
 */
const PublishedVideo = Type.Object({
  ...Video.properties,
  tags: Type.Optional(Video.properties.tags),
  startAtMs: Type.Optional(Video.properties.startAtMs),
  endAtMs: Type.Optional(Video.properties.endAtMs),
  likeCount: Type.Optional(Video.properties.likeCount),
})
export type PublishedVideo = Static<typeof PublishedVideo>

/** Maximum videos per event. */
export const MAX_VIDEOS_PER_EVENT = 500
const VideoBatch = Type.Array(PublishedVideo, { minItems: 1, maxItems: MAX_VIDEOS_PER_EVENT })

const videoPush = (video: PublishedVideo): Push =>
  toAdmins(
    'video',
    { video: { tags: [], startAtMs: 0, endAtMs: null, likeCount: 0, ...video } },
    `video ${video.id}`,
  )
const removalPush = (videoId: string): Push => toAdmins('video_removed', { videoId }, `video ${videoId}`)
const submissionPush = (videoId: string): Push => ({
  ...push('moderation', topics.moderation, 'submissions', { videoId }),
  key: `submission ${videoId}`,
})

/** The events of the catalogue. */
export const catalogueEvents = [
  /** A video was added to the library: by a user with curation rights, or by accepting a submission. */
  event('catalogue.video.added.v1', {
    data: Type.Object({ video: PublishedVideo }),
    consumers: ['stream-scheduler', 'audience'],
    push: ({ video }) => [videoPush(video)],
    outdates: 'catalogue',
  }),
  event('catalogue.video.updated.v1', {
    data: Type.Object({ video: PublishedVideo }),
    consumers: ['stream-scheduler', 'audience'],
    push: ({ video }) => [videoPush(video)],
    outdates: 'catalogue',
  }),
  event('catalogue.video.removed.v1', {
    data: Type.Object({ videoId: Uuid }),
    consumers: ['stream-scheduler', 'audience'],
    push: ({ videoId }) => [removalPush(videoId)],
    outdates: 'catalogue',
  }),
  /** Like the three events above, for bulk changes; one event per {@link MAX_VIDEOS_PER_EVENT} videos. */
  event('catalogue.videos.added.v1', {
    data: Type.Object({ videos: VideoBatch }),
    consumers: ['stream-scheduler', 'audience'],
    push: ({ videos }) => videos.map(videoPush),
    outdates: 'catalogue',
  }),
  event('catalogue.videos.updated.v1', {
    data: Type.Object({ videos: VideoBatch }),
    consumers: ['stream-scheduler', 'audience'],
    // One push: an edit of a whole library would be as many pushes as it has videos, to each admin.
    push: ({ videos }) => [toAdmins('videos', { count: videos.length })],
    outdates: 'catalogue',
  }),
  event('catalogue.videos.removed.v1', {
    data: Type.Object({
      videoIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_VIDEOS_PER_EVENT }),
    }),
    consumers: ['stream-scheduler', 'audience'],
    push: ({ videoIds }) => videoIds.map(removalPush),
    outdates: 'catalogue',
  }),
  /** `missingOnly`: a repeated request for videos without metadata; ignored for videos that have a job. */
  event('catalogue.metadata.requested.v1', {
    data: Type.Object({
      youtubeIds: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }),
      force: Type.Boolean(),
      missingOnly: Type.Optional(Type.Boolean()),
    }),
    consumers: ['metadata-worker'],
  }),
  /** Media files whose duration is assumed. `url` is absolute or a path of the site. */
  event('catalogue.probe.requested.v1', {
    data: Type.Object({
      media: Type.Array(Type.Object({ videoId: Uuid, url: Type.String() }), { minItems: 1, maxItems: 500 }),
    }),
    consumers: ['metadata-worker'],
  }),
  event('catalogue.playlist.requested.v1', {
    data: PlaylistRequested,
    consumers: ['metadata-worker'],
  }),
  event('catalogue.home.changed.v1', {
    data: Type.Object({}),
    push: () => [push('station', topics.station, 'home', {})],
    outdates: 'catalogue',
  }),
  /** A change of many videos was started, cancelled or finished, or has made progress (at most once a second). */
  event('catalogue.job.changed.v1', {
    data: Type.Object({ job: VideoJob }),
    push: ({ job }) => [toAdmins('job', { job }, `job ${job.id}`)],
  }),
  /** A video under review was submitted, received its title, or was deleted. For moderators only. */
  event('catalogue.submission.changed.v1', {
    data: Type.Object({ videoId: Uuid }),
    push: ({ videoId }) => [submissionPush(videoId)],
    outdates: 'catalogue',
  }),
  /** A user submitted a video for review. For webhooks. */
  event('catalogue.submission.received.v1', {
    data: Type.Object({ videoId: Uuid }),
    consumers: ['admin-audit'],
  }),
  /** A decision on a submission. One event per 100 submitters. */
  event('catalogue.submission.decided.v1', {
    data: Type.Object({
      videoId: Uuid,
      state: Type.Union([Type.Literal('accepted'), Type.Literal('rejected')]),
      reason: Nullable(Type.String()),
      submitters: Type.Array(Uuid, { maxItems: 100 }),
    }),
    push: ({ videoId, state, reason, submitters }) => [
      submissionPush(videoId),
      ...submitters.map((id) => push('user', topics.user(id), 'submission', { videoId, state, reason })),
    ],
    outdates: 'catalogue',
  }),
  /** Requests to append accepted videos to a channel's playlist. The scheduler ignores an unknown channel. */
  event('catalogue.airing.requested.v1', {
    data: Type.Object({
      channelId: ChannelId,
      videoIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_DECISIONS_PER_REQUEST }),
    }),
    consumers: ['stream-scheduler'],
  }),
  auditEvent('catalogue', { isShownToAdmins: true, outdates: 'catalogue' }),
] as const
