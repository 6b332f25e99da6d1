import * as operations from '@looptide/contracts/operations/chat'
import { databaseService } from '@looptide/service-kit/process/database-service'
import type { ChatConfig } from './config.ts'
import { onChannelChanged } from './consumers/on-channel-changed.ts'
import { onChannelDeleted } from './consumers/on-channel-deleted.ts'
import { onPollClosed } from './consumers/on-poll-closed.ts'
import { onProfileChanged } from './consumers/on-profile-changed.ts'
import { onUserDeleted } from './consumers/on-user-deleted.ts'
import { onUserRestricted } from './consumers/on-user-restricted.ts'
import { onUserUnrestricted } from './consumers/on-user-unrestricted.ts'
import type { Database } from './db/schema.ts'
import { tables } from './db/tables.ts'
import { CaseService } from './features/cases/case-service.ts'
import { ReportService } from './features/cases/report-service.ts'
import { caseRoutes } from './features/cases/routes.ts'
import { ChannelService } from './features/channels/channel-service.ts'
import { channelRoutes } from './features/channels/routes.ts'
import { exportParts } from './features/export/export-messages.ts'
import { HeldService } from './features/held/held-service.ts'
import { heldRoutes } from './features/held/routes.ts'
import { MessageService } from './features/messages/message-service.ts'
import { MessageWriter } from './features/messages/message-writer.ts'
import { rateLimit } from './features/messages/rate-limit.ts'
import { RefusalCache } from './features/messages/refusal-cache.ts'
import { Retention } from './features/messages/retention.ts'
import { messageRoutes } from './features/messages/routes.ts'
import { PermissionService } from './features/users/permission-service.ts'
import { ProfileLoader } from './features/users/profile-loader.ts'
import { permissionRoutes } from './features/users/routes.ts'
import { wordListRoutes } from './features/words/routes.ts'
import { WordListService } from './features/words/word-list-service.ts'

/** The chat service: messages by channel, their moderation, slow mode and restrictions. */
export const chatService = (config: ChatConfig) =>
  databaseService<Database>({
    name: 'chat',
    operations,
    config,
    tables,
    build: ({ db, logger, access }) => {
      const { newAccounts } = config
      const words = new WordListService(db, logger)
      const messages = new MessageService({
        db,
        writer: new MessageWriter(db, { limit: rateLimit(config.rateLimitFactor), newAccounts }, words),
        profiles: new ProfileLoader({ db, authUrl: config.authUrl, logger }),
        refusals: new RefusalCache(),
        roleOf: (userId) => access.roleOf(userId),
      })
      const channels = new ChannelService(db)
      return {
        routes: [
          ...caseRoutes({
            db,
            reports: new ReportService(db),
            cases: new CaseService(db, (userId) => access.roleOf(userId)),
          }),
          ...channelRoutes({ channels }),
          ...exportParts.map((part) => part.route(db)),
          ...heldRoutes({ held: new HeldService(db, (userId) => access.roleOf(userId)) }),
          ...messageRoutes({ messages }),
          ...permissionRoutes({ permissions: new PermissionService(db, newAccounts) }),
          ...wordListRoutes({ words }),
        ],
        handlers: {
          'auth.user.registered.v1': onProfileChanged,
          'auth.profile.updated.v1': onProfileChanged,
          'auth.user.deleted.v1': onUserDeleted,
          'auth.user.restricted.v1': onUserRestricted,
          'auth.user.unrestricted.v1': onUserUnrestricted,
          'audience.poll.closed.v1': onPollClosed((userId) => access.roleOf(userId)),
          'stream.channel.created.v1': onChannelChanged,
          'stream.channel.updated.v1': onChannelChanged,
          'stream.channel.deleted.v1': onChannelDeleted,
        },
        tasks: [new Retention({ db, logger, days: config.retentionDays })],
      }
    },
  })
