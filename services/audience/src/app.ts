import { audienceOperations } from '@looptide/contracts/operations/audience'
import { databaseService } from '@looptide/service-kit/process/database-service'
import type { Metrics } from '@looptide/service-kit/telemetry/metrics'
import { Counter } from 'prom-client'
import type { AudienceConfig } from './config.ts'
import { onChannelDeleted } from './consumers/on-channel-deleted.ts'
import { onProfileChanged } from './consumers/on-profile-changed.ts'
import { onProgrammeStarted } from './consumers/on-programme-started.ts'
import { onRequestsPlanned } from './consumers/on-requests-planned.ts'
import { onUserDeleted } from './consumers/on-user-deleted.ts'
import { onUserRestricted } from './consumers/on-user-restricted.ts'
import { onUserUnrestricted } from './consumers/on-user-unrestricted.ts'
import { onVideoAdded } from './consumers/on-video-added.ts'
import { onVideoRemoved } from './consumers/on-video-removed.ts'
import { onVideoUpdated } from './consumers/on-video-updated.ts'
import { onVideosAdded } from './consumers/on-videos-added.ts'
import { onVideosRemoved } from './consumers/on-videos-removed.ts'
import { onVideosUpdated } from './consumers/on-videos-updated.ts'
import type { Database } from './db/schema.ts'
import { tables } from './db/tables.ts'
import { AiringCounter } from './features/airings/airing-counter.ts'
import { createCountMessages } from './features/airings/message-counts.ts'
import { createFindProgramme } from './features/airings/programme.ts'
import { airingRoutes } from './features/airings/routes.ts'
import type { AiringDeps } from './features/decisions/airing.ts'
import { receiptRoutes } from './features/decisions/routes.ts'
import { exportParts } from './features/export/export-parts.ts'
import { likePublisher } from './features/likes/like-publisher.ts'
import { LikeService } from './features/likes/like-service.ts'
import { createIsPublicVideo } from './features/likes/public-video.ts'
import { likeRoutes } from './features/likes/routes.ts'
import { createNetworkOf } from './features/networks/network-of.ts'
import { queuePublisher } from './features/queue/queue-publisher.ts'
import { ReactionRecorder } from './features/reactions/reaction-recorder.ts'
import { RequestModeration } from './features/requests/request-moderation.ts'
import { RequestReader } from './features/requests/request-reader.ts'
import { RequestService } from './features/requests/request-service.ts'
import { requestRoutes } from './features/requests/routes.ts'
import { VoteService } from './features/requests/vote-service.ts'
import { createCheckRequest, createRequireVisible } from './features/rules/request-check.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { SettingsService } from './features/settings/settings-service.ts'
import { AccountLoader } from './features/users/account-loader.ts'
import { userRoutes } from './features/users/routes.ts'
import { watchRoutes } from './features/watching/routes.ts'
import { WatchService } from './features/watching/watch-service.ts'
import { housekeeping } from './housekeeping.ts'

/**
 * The audience service: requests of viewers, votes for them, likes, and what viewers did
 * during each programme. `now` (epoch ms) replaces the
 * station clock in tests.
 */
export const audienceService = (config: AudienceConfig, testNow?: () => number) =>
  databaseService<Database>({
    name: 'audience',
    operations: audienceOperations,
    config,
    tables,
    build: ({ db, nats, logger, metrics, now: stationNow }) => {
      const now = testNow ?? stationNow
      const mismatches = mismatchCounter(metrics)
      const networkOf = createNetworkOf(config.internalToken, now)
      const watching = new WatchService({ db, now, minWatchMinutes: config.minWatchMinutes })
      const check = createCheckRequest(config)
      const requireVisible = createRequireVisible(check, now)
      const accounts = new AccountLoader({ db, ...config })
      const { minAccountAgeHours, rateLimitFactor } = config
      const requests = new RequestService({ db, now, accounts, check, minAccountAgeHours, rateLimitFactor })
      const isPublicVideo = createIsPublicVideo(config)
      const likes = new LikeService({ db, now, accounts, isPublicVideo, rateLimitFactor })
      return {
        routes: [
          ...requestRoutes({
            requests,
            networkOf,
            requireVisible,
            reader: new RequestReader(db, now),
            moderation: new RequestModeration(db, now),
            votes: new VoteService({ db, watching, now }),
          }),
          ...settingsRoutes({ settings: new SettingsService({ db, check, now }), requireVisible }),
          ...receiptRoutes({ db, requireVisible }),
          ...airingRoutes({ db, now, requireVisible, findProgramme: createFindProgramme(config) }),
          ...likeRoutes({ likes }),
          ...userRoutes({ db, accounts }),
          ...watchRoutes({ watching, networkOf }),
          ...exportParts.map((part) => part.route(db)),
        ],
        handlers: handlersOf(now, { logger, onMismatch: () => mismatches.inc() }),
        background: [
          new ReactionRecorder({ db, nats, logger, now }),
          new AiringCounter({ db, nats, logger, now, countMessages: createCountMessages(config) }),
        ],
        tasks: [
          housekeeping({ db, logger, now, ...config }),
          queuePublisher({ db, logger, now }),
          likePublisher({ db, logger, now }),
        ],
      }
    },
  })

/** What is done with events of other services. */
const handlersOf = (now: () => number, deps: AiringDeps) => ({
  'auth.user.registered.v1': onProfileChanged,
  'auth.profile.updated.v1': onProfileChanged,
  'auth.user.deleted.v1': onUserDeleted,
  'auth.user.restricted.v1': onUserRestricted,
  'auth.user.unrestricted.v1': onUserUnrestricted,
  'catalogue.video.added.v1': onVideoAdded,
  'catalogue.videos.added.v1': onVideosAdded,
  'catalogue.video.updated.v1': onVideoUpdated(now),
  'catalogue.videos.updated.v1': onVideosUpdated(now),
  'catalogue.video.removed.v1': onVideoRemoved(now),
  'catalogue.videos.removed.v1': onVideosRemoved(now),
  'stream.channel.deleted.v1': onChannelDeleted,
  'stream.requests.planned.v1': onRequestsPlanned,
  'stream.programme.started.v1': onProgrammeStarted(deps),
})

const mismatchCounter = ({ registry }: Metrics) =>
  new Counter({
    name: 'looptide_request_mismatches_total',
    help: 'Aired requests that are not explained by the queue that decided them, or whose queue is not known.',
    registers: [registry],
  })
