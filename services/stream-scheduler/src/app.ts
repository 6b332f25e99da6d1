import { streamOperations } from '@looptide/contracts/operations/stream'
import type { Guard } from '@looptide/service-kit/limits/guard'
import {
  databaseService,
  type ServiceDeps,
  type ServiceParts,
} from '@looptide/service-kit/process/database-service'
import type { ServiceHandle } from '@looptide/service-kit/process/service-process'
import type { ProcessDefinition } from '@looptide/service-kit/process/start-process'
import type { Route } from '@looptide/service-kit/routes/route'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import { ListenerCounter } from './airings/listener-counter.ts'
import { airingRoutes } from './airings/routes.ts'
import { ChannelService } from './channels/channel-service.ts'
import { DefaultChannel } from './channels/default-channel.ts'
import { channelRoutes } from './channels/routes.ts'
import { StreamService } from './channels/stream-service.ts'
import type { SchedulerConfig } from './config.ts'
import { onAiringRequested } from './consumers/on-airing-requested.ts'
import { onLikesChanged } from './consumers/on-likes-changed.ts'
import { onQueueChanged } from './consumers/on-queue-changed.ts'
import { onVideoAdded } from './consumers/on-video-added.ts'
import { onVideoRemoved } from './consumers/on-video-removed.ts'
import { onVideoUpdated } from './consumers/on-video-updated.ts'
import { onVideosAdded } from './consumers/on-videos-added.ts'
import { onVideosRemoved } from './consumers/on-videos-removed.ts'
import { onVideosUpdated } from './consumers/on-videos-updated.ts'
import type { Database } from './db/schema.ts'
import { tables } from './db/tables.ts'
import { GuideFeeds } from './guide/guide-feeds.ts'
import { NowResponses } from './guide/now-response.ts'
import { guideRoutes } from './guide/routes.ts'
import { StationGuideResponses } from './guide/station-guide.ts'
import { StationOverviews } from './guide/station-overview.ts'
import { Housekeeping } from './housekeeping.ts'
import { CatalogueBackfill } from './library/backfill.ts'
import type { CatalogueAccess } from './library/video-readiness.ts'
import { LogService } from './log/log-service.ts'
import { logRoutes } from './log/routes.ts'
import { PlaylistService } from './playlists/playlist-service.ts'
import { playlistRoutes } from './playlists/routes.ts'
import { ChannelProgrammingLoader } from './programming-loader.ts'
import { ReportService } from './reports/report-service.ts'
import { reportRoutes } from './reports/routes.ts'
import { requestRoutes } from './requests/routes.ts'
import { LibraryCache } from './schedule/library-cache.ts'
import { LoopCache } from './schedule/loop-cache.ts'
import { scheduleRoutes } from './schedule/routes.ts'
import { ScheduleDrafts } from './schedule/schedule-drafts.ts'
import { SchedulePreviews } from './schedule/schedule-previews.ts'
import { SchedulePublisher } from './schedule/schedule-publisher.ts'
import { ScheduleReader } from './schedule/schedule-reader.ts'
import { simulationRoutes } from './simulate/routes.ts'
import { substituteRoutes } from './substitutes/routes.ts'
import { Substitutes } from './substitutes/substitutes.ts'
import { takeoverRoutes } from './takeover/routes.ts'
import { TakeoverService } from './takeover/takeover-service.ts'
import { CacheRefresher } from './timeline/cache-refresher.ts'
import { Leadership } from './timeline/leadership.ts'
import { TimelineCache } from './timeline/timeline-cache.ts'
import { registerTimelineMetrics, timelineSource } from './timeline/timeline-monitoring.ts'
import { TimelineWorker } from './timeline/timeline-worker.ts'
import { TimelineWriter } from './timeline/timeline-writer.ts'

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
      operations: streamOperations,
      config,
      tables,
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
  const { schedules, timelines, loader, writer } = buildTimelines(config, { db, logger, now })
  registerTimelineMetrics(metrics.registry, timelines, now)
  const leadership = new Leadership(db)
  const worker = new TimelineWorker({ db, timelines, writer, leadership, logger, now })
  const { catalogueUrl, internalToken, airLogDays } = config
  const catalogue = { catalogueUrl, internalToken }
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
    ],
    tasks: [
      new ListenerCounter({ db, nats, logger, now }),
      new Housekeeping({ db, logger, now, airLogDays }),
    ],
    routes: routes({
      ...config,
      catalogue,
      db,
      now,
      guard,
      timelines,
      schedules,
      loader,
      writer,
      worker,
    }),
  }
}

/** The events of the catalogue and of audience. */
const eventHandlers = (logger: Logger) => ({
  'catalogue.airing.requested.v1': onAiringRequested(logger),
  'catalogue.video.added.v1': onVideoAdded,
  'catalogue.video.updated.v1': onVideoUpdated,
  'catalogue.video.removed.v1': onVideoRemoved,
  'catalogue.videos.added.v1': onVideosAdded,
  'catalogue.videos.updated.v1': onVideosUpdated,
  'catalogue.videos.removed.v1': onVideosRemoved,
  'audience.queue.changed.v1': onQueueChanged,
  'audience.likes.changed.v1': onLikesChanged,
})

/** Creates the parts that plan, write and cache the timelines. */
function buildTimelines(
  { fallbackMaxMs, requests }: SchedulerConfig,
  { db, logger, now }: { db: Kysely<Database>; logger: Logger; now: () => number },
) {
  const schedules = new ScheduleReader(new LibraryCache(now), { fallbackMaxMs, requests })
  const loader = new ChannelProgrammingLoader(new LoopCache(fallbackMaxMs), schedules, now)
  return {
    schedules,
    loader,
    timelines: new TimelineCache(db, now, schedules),
    writer: new TimelineWriter(loader, logger),
  }
}

interface RouteDeps
  extends Pick<SchedulerConfig, 'fallbackMaxMs' | 'internalToken' | 'scheduleApproval' | 'siteUrl'> {
  db: Kysely<Database>
  now: () => number
  guard: Guard
  timelines: TimelineCache
  catalogue: CatalogueAccess
  schedules: ScheduleReader
  loader: ChannelProgrammingLoader
  writer: TimelineWriter
  worker: TimelineWorker
}

function routes(deps: RouteDeps): Route[] {
  const { db, now, guard, timelines, fallbackMaxMs, schedules } = deps
  const publisher = new SchedulePublisher(deps)
  return [
    ...channelRoutes({ ...deps, channels: new ChannelService(deps), streams: new StreamService(deps) }),
    ...takeoverRoutes({ guard, takeovers: new TakeoverService(deps) }),
    ...simulationRoutes(deps),
    ...logRoutes({ logs: new LogService(deps) }),
    ...guideRoutes({
      ...{ db, now, timelines, nowResponses: new NowResponses(timelines) },
      guide: new StationGuideResponses(timelines),
      overviews: new StationOverviews({ db, timelines, schedules, fallbackMaxMs }),
      feeds: new GuideFeeds(timelines, deps.siteUrl),
    }),
    ...airingRoutes({ db, timelines, now }),
    ...requestRoutes({ db, timelines, schedules, now }),
    ...substituteRoutes({ substitutes: new Substitutes({ db, timelines, schedules, fallbackMaxMs, now }) }),
    ...playlistRoutes({ db, playlists: new PlaylistService(deps) }),
    ...reportRoutes({ db, reports: new ReportService(deps), visitorKey: deps.internalToken }),
    ...scheduleRoutes({
      ...{ db, schedules, now, publisher, drafts: new ScheduleDrafts(deps) },
      scheduleApproval: deps.scheduleApproval,
      previews: new SchedulePreviews(deps),
    }),
  ]
}
