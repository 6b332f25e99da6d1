import type { Guard } from '@looptide/service-kit/audit/guard'
import {
  databaseService,
  type ServiceDeps,
  type ServiceParts,
} from '@looptide/service-kit/process/database-service'
import type { Logger } from '@looptide/service-kit/process/logger'
import type { ServiceHandle } from '@looptide/service-kit/process/service-process'
import type { ProcessDefinition } from '@looptide/service-kit/process/start-process'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { SchedulerConfig } from './config.ts'
import { onAiringRequested } from './consumers/on-airing-requested.ts'
import { onVideoAdded } from './consumers/on-video-added.ts'
import { onVideoRemoved } from './consumers/on-video-removed.ts'
import { onVideoUpdated } from './consumers/on-video-updated.ts'
import { onVideosAdded } from './consumers/on-videos-added.ts'
import { onVideosRemoved } from './consumers/on-videos-removed.ts'
import { onVideosUpdated } from './consumers/on-videos-updated.ts'
import type { Database } from './db/schema.ts'
import { ChannelService } from './features/channels/channel-service.ts'
import { DefaultChannel } from './features/channels/default-channel.ts'
import { createChannel } from './features/channels/routes/create-channel.ts'
import { deleteChannel } from './features/channels/routes/delete-channel.ts'
import { listChannels } from './features/channels/routes/list-channels.ts'
import { updateChannel } from './features/channels/routes/update-channel.ts'
import { GuideFeeds } from './features/guide/guide-feeds.ts'
import { NowResponses } from './features/guide/now-response.ts'
import { getCalendar } from './features/guide/routes/get-calendar.ts'
import { getGuide } from './features/guide/routes/get-guide.ts'
import { getNow } from './features/guide/routes/get-now.ts'
import { getStationGuide } from './features/guide/routes/get-station-guide.ts'
import { getXmltv } from './features/guide/routes/get-xmltv.ts'
import { listAirLog } from './features/guide/routes/list-air-log.ts'
import { StationGuideResponses } from './features/guide/station-guide.ts'
import { PlaylistService } from './features/playlists/playlist-service.ts'
import { addChannelVideos } from './features/playlists/routes/add-channel-videos.ts'
import { addToLivePlaylist } from './features/playlists/routes/add-to-live-playlist.ts'
import { checkReadiness } from './features/playlists/routes/check-readiness.ts'
import { clearLivePlaylist } from './features/playlists/routes/clear-live-playlist.ts'
import { listChannelPlaylist } from './features/playlists/routes/list-channel-playlist.ts'
import { listLivePlaylist } from './features/playlists/routes/list-live-playlist.ts'
import { orderChannelPlaylist } from './features/playlists/routes/order-channel-playlist.ts'
import { removeChannelVideo } from './features/playlists/routes/remove-channel-video.ts'
import { removeChannelVideos } from './features/playlists/routes/remove-channel-videos.ts'
import { saveChannelPlaylist } from './features/playlists/routes/save-channel-playlist.ts'
import { ReportService } from './features/reports/report-service.ts'
import { listPlaybackProblems } from './features/reports/routes/list-playback-problems.ts'
import { listQuarantine } from './features/reports/routes/list-quarantine.ts'
import { releaseVideo } from './features/reports/routes/release-video.ts'
import { replaceVideo } from './features/reports/routes/replace-video.ts'
import { reportPlayback } from './features/reports/routes/report-playback.ts'
import { getSchedule } from './features/schedule/routes/get-schedule.ts'
import { previewSchedule } from './features/schedule/routes/preview-schedule.ts'
import { publishSchedule } from './features/schedule/routes/publish-schedule.ts'
import { removeSchedule } from './features/schedule/routes/remove-schedule.ts'
import { scheduleDraft } from './features/schedule/routes/schedule-draft.ts'
import { scheduleVersions } from './features/schedule/routes/schedule-versions.ts'
import { ScheduleDrafts } from './features/schedule/schedule-drafts.ts'
import { SchedulePreviews } from './features/schedule/schedule-previews.ts'
import { SchedulePublisher } from './features/schedule/schedule-publisher.ts'
import { listShortLoops } from './features/short-loops/routes/list-short-loops.ts'
import { explainProgramme } from './features/simulate/routes/explain-programme.ts'
import { simulateChannel } from './features/simulate/routes/simulate-channel.ts'
import { controlStream } from './features/stream/routes/control-stream.ts'
import { StreamService } from './features/stream/stream-service.ts'
import { listSubstitutes } from './features/substitutes/routes/list-substitutes.ts'
import { Substitutes } from './features/substitutes/substitutes.ts'
import { channelTakeover } from './features/takeover/routes/channel-takeover.ts'
import { TakeoverService } from './features/takeover/takeover-service.ts'
import { Housekeeping } from './housekeeping.ts'
import { LibraryCache } from './schedule/library-cache.ts'
import { ScheduleReader } from './schedule/schedule-reader.ts'
import { CacheRefresher } from './timeline/cache-refresher.ts'
import { Leadership } from './timeline/leadership.ts'
import { LoopCache } from './timeline/loop-repository.ts'
import { Programmings } from './timeline/programmings.ts'
import { TimelineCache } from './timeline/timeline-cache.ts'
import { timelineSource } from './timeline/timeline-debug.ts'
import { registerTimelineMetrics } from './timeline/timeline-metrics.ts'
import { TimelineWorker } from './timeline/timeline-worker.ts'
import { TimelineWriter } from './timeline/timeline-writer.ts'
import { CatalogueBackfill } from './videos/backfill.ts'
import type { CatalogueAccess } from './videos/video-readiness.ts'

/** The service, and a handle with which tests run the timeline worker. */
export interface StreamScheduler {
  service: ProcessDefinition<ServiceHandle>
  /** Runs one pass of the timeline worker. Throws before the service is started. */
  runOnce(): Promise<void>
}

/**
 * The stream scheduler: channels, playlists, timelines, guide and air log. Instants of a timeline come from the station
 * clock, or from `now` (epoch ms) if it is given. Leadership of channels follows the database's clock.
 */
export function streamScheduler(config: SchedulerConfig, now?: () => number): StreamScheduler {
  let worker: TimelineWorker | undefined
  return {
    service: databaseService<Database>({
      name: 'stream-scheduler',
      config,
      build: (deps) => {
        const parts = buildScheduler(config, deps, now ?? deps.now)
        worker = parts.worker
        return parts
      },
    }),
    runOnce: async () => {
      if (worker === undefined) throw new Error('the scheduler is not started')
      await worker.runOnce()
    },
  }
}

function buildScheduler(
  config: SchedulerConfig,
  { db, nats, keys, logger, guard, metrics }: Omit<ServiceDeps<Database>, 'now'>,
  now: () => number,
): ServiceParts<Database> & { worker: TimelineWorker } {
  const { schedules, timelines, programmings, writer } = buildTimelines(config, { db, logger, now })
  registerTimelineMetrics(metrics.registry, timelines, now)
  const leadership = new Leadership(db)
  const worker = new TimelineWorker({ db, timelines, writer, leadership, logger, now })
  const { catalogueUrl, internalToken, airLogDays, fallbackMaxMs } = config
  const catalogue = { catalogueUrl, internalToken }
  const routeDeps: RouteDeps = {
    db,
    now,
    guard,
    timelines,
    fallbackMaxMs,
    catalogue,
    schedules,
    writer,
    visitorKey: internalToken,
    channels: new ChannelService({ db, timelines, writer, now }),
    streams: new StreamService({ db, timelines, writer, worker, now }),
    playlists: new PlaylistService({ db, timelines, writer, now, catalogue }),
    takeovers: new TakeoverService({ db, timelines, writer, programmings, now }),
    reports: new ReportService({ db, timelines, worker, now }),
    nowResponses: new NowResponses(timelines),
    guide: new StationGuideResponses(timelines),
    feeds: new GuideFeeds(timelines, config.siteUrl),
  }
  return {
    worker,
    handlers: eventHandlers(logger),
    afterApply: () => worker.wake(),
    debug: [timelineSource(timelines, now)],
    background: [
      new CacheRefresher({ nats, keys, timelines, logger, metrics }),
      worker,
      new DefaultChannel({ db, timelines, logger }),
      new CatalogueBackfill({ db, ...catalogue, logger }),
      new Housekeeping({ db, logger, now, airLogDays }),
    ],
    routes: [],
    scopes: {
      anyone: (app) => registerPublicRoutes(app, routeDeps),
      'takeovers:run': async (app) => {
        await app.register(channelTakeover, routeDeps)
      },
      'programmes:simulate': async (app) => {
        await app.register(simulateChannel, routeDeps)
      },
      'channels:manage': (app) => registerChannelRoutes(app, routeDeps),
      'schedules:edit': async (app) => {
        await registerPlaylistRoutes(app, routeDeps)
        await registerScheduleRoutes(app, routeDeps)
      },
    },
  }
}

/** The catalogue's events. */
const eventHandlers = (logger: Logger) => ({
  'catalogue.airing.requested.v1': onAiringRequested(logger),
  'catalogue.video.added.v1': onVideoAdded,
  'catalogue.video.updated.v1': onVideoUpdated,
  'catalogue.video.removed.v1': onVideoRemoved,
  'catalogue.videos.added.v1': onVideosAdded,
  'catalogue.videos.updated.v1': onVideosUpdated,
  'catalogue.videos.removed.v1': onVideosRemoved,
})

/** Creates the parts that plan, write and cache the timelines. */
function buildTimelines(
  { fallbackMaxMs }: SchedulerConfig,
  { db, logger, now }: { db: Kysely<Database>; logger: Logger; now: () => number },
) {
  const schedules = new ScheduleReader(new LibraryCache(), fallbackMaxMs)
  const programmings = new Programmings(new LoopCache(fallbackMaxMs), schedules, now)
  return {
    schedules,
    programmings,
    timelines: new TimelineCache(db, now, schedules),
    writer: new TimelineWriter(programmings, logger),
  }
}

interface RouteDeps {
  db: Kysely<Database>
  now: () => number
  guard: Guard
  timelines: TimelineCache
  fallbackMaxMs: number
  catalogue: CatalogueAccess
  schedules: ScheduleReader
  writer: TimelineWriter
  visitorKey: string
  channels: ChannelService
  streams: StreamService
  playlists: PlaylistService
  takeovers: TakeoverService
  reports: ReportService
  nowResponses: NowResponses
  guide: StationGuideResponses
  feeds: GuideFeeds
}

/** Routes that need no sign-in. */
async function registerPublicRoutes(app: FastifyInstance, deps: RouteDeps): Promise<void> {
  const { db, timelines, now, nowResponses, guide, feeds, reports, visitorKey, schedules, fallbackMaxMs } =
    deps
  await app.register(listChannels, { timelines })
  await app.register(getNow, { nowResponses, now })
  await app.register(getGuide, { timelines, now })
  await app.register(getStationGuide, { guide, now })
  await app.register(getXmltv, { feeds, now })
  await app.register(getCalendar, { feeds, now })
  await app.register(listAirLog, { db, timelines })
  await app.register(reportPlayback, { reports, visitorKey })
  const substitutes = new Substitutes({ db, timelines, schedules, fallbackMaxMs, now })
  await app.register(listSubstitutes, { substitutes })
}

/** Schedules of channels. */
async function registerScheduleRoutes(app: FastifyInstance, deps: RouteDeps): Promise<void> {
  const { db, now, schedules, timelines, writer } = deps
  const publisher = new SchedulePublisher({ db, timelines, writer, schedules, now })
  await app.register(getSchedule, { db, schedules, now })
  await app.register(removeSchedule, { publisher })
  await app.register(scheduleDraft, { drafts: new ScheduleDrafts(db) })
  await app.register(previewSchedule, { previews: new SchedulePreviews({ db, schedules, now }) })
  await app.register(publishSchedule, { publisher })
  await app.register(scheduleVersions, { db, publisher })
}

/** Channels themselves, and their streams. */
async function registerChannelRoutes(
  app: FastifyInstance,
  { channels, streams, guard }: RouteDeps,
): Promise<void> {
  await app.register(createChannel, { channels })
  await app.register(deleteChannel, { channels })
  await app.register(controlStream, { streams, guard })
}

/** Playlists of channels, and quarantined videos. */
async function registerPlaylistRoutes(app: FastifyInstance, deps: RouteDeps): Promise<void> {
  const { db, fallbackMaxMs, channels, playlists, reports } = deps
  // Only for shuffle: the handler requires `channels:manage` for all other changes.
  await app.register(updateChannel, { channels })
  await app.register(listChannelPlaylist, { db })
  await app.register(addChannelVideos, { playlists })
  await app.register(removeChannelVideo, { playlists })
  await app.register(removeChannelVideos, { playlists })
  await app.register(orderChannelPlaylist, { playlists })
  await app.register(saveChannelPlaylist, { playlists })
  await app.register(listLivePlaylist, { db })
  await app.register(addToLivePlaylist, { playlists })
  await app.register(clearLivePlaylist, { playlists })
  await app.register(checkReadiness, { db })
  await app.register(listShortLoops, { db, fallbackMaxMs })
  await app.register(explainProgramme, { db, fallbackMaxMs })
  await app.register(listPlaybackProblems, { db })
  await app.register(listQuarantine, { db })
  await app.register(releaseVideo, { reports })
  await app.register(replaceVideo, { reports })
}
