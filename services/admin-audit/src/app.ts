import { THEME_ASSET_MAX_SIDE } from '@looptide/contracts/http/themes'
import * as adminOperations from '@looptide/contracts/operations/admin'
import * as webhookOperations from '@looptide/contracts/operations/webhooks'
import { OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import { MalwareScanner } from '@looptide/service-kit/pictures/malware-scanner'
import { PictureUploads } from '@looptide/service-kit/pictures/picture-uploads'
import { databaseService } from '@looptide/service-kit/process/database-service'
import { isLocalSite } from '@looptide/service-kit/settings/url-settings'
import type { AdminAuditConfig } from './config.ts'
import { onAnnouncedEvent } from './consumers/on-announced-event.ts'
import { onAuditRecorded } from './consumers/on-audit-recorded.ts'
import { onUserDeleted } from './consumers/on-user-deleted.ts'
import type { Database } from './db/schema.ts'
import { tables } from './db/tables.ts'
import { AuditExport } from './features/audit/audit-export.ts'
import { AuditService, chainHeadLogger } from './features/audit/audit-service.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { EmbedSettingsService } from './features/embeds/embed-settings.ts'
import { embedRoutes } from './features/embeds/routes.ts'
import { adminActivityCheck } from './features/guard/admin-activity.ts'
import { GuardService } from './features/guard/guard-service.ts'
import { RefusedAttempts } from './features/guard/refused-attempts.ts'
import { guardRoutes } from './features/guard/routes.ts'
import { auditRetention } from './features/retention/audit-retention.ts'
import { themeRoutes } from './features/theme/routes.ts'
import { ThemeService } from './features/theme/theme-service.ts'
import { DeliveryWorker } from './features/webhooks/delivery-worker.ts'
import { ManualDeliveries } from './features/webhooks/manual-deliveries.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { WebhookService } from './features/webhooks/webhook-service.ts'

/**
 * The admin-audit service: the audit log, the guard for dangerous actions, and themes. `givenNow` replaces the station's
 * clock in tests.
 */
export const adminAuditService = (config: AdminAuditConfig, givenNow?: () => number) =>
  databaseService<Database>({
    name: 'admin-audit',
    operations: { ...adminOperations, ...webhookOperations },
    config,
    tables,
    build: ({ db, logger, metrics: { registry }, ...deps }) => {
      const now = givenNow ?? deps.now
      const refusals = new RefusedAttempts({ db, rateLimitFactor: config.rateLimitFactor, now })
      const uploads = new PictureUploads({
        db,
        logger,
        scanner: new MalwareScanner({ address: config.malwareScanner, registry, logger }),
        auditType: 'admin.audit.recorded.v1',
        targetType: 'theme_asset',
        maxSide: THEME_ASSET_MAX_SIDE,
      })
      const { siteUrl, webhookNetworks: allowedNetworks } = config
      const outbound = new OutboundRequests({ siteUrl, allowedNetworks, allowsHttp: isLocalSite(siteUrl) })
      const worker = new DeliveryWorker({ db, outbound, logger, registry, now })
      const wake = (): void => worker.wake()
      return {
        routes: [
          ...auditRoutes({ audit: new AuditService(db), exports: new AuditExport(db) }),
          ...guardRoutes({ guard: new GuardService({ db, logger, refusals, now }), refusals }),
          ...themeRoutes({ themes: new ThemeService(db, uploads) }),
          ...embedRoutes({ embeds: new EmbedSettingsService(db) }),
          ...webhookRoutes({
            webhooks: new WebhookService({ db, outbound, now }),
            deliveries: new ManualDeliveries({ db, now, wake }),
          }),
        ],
        handlers: {
          'auth.audit.recorded.v1': onAuditRecorded,
          'catalogue.audit.recorded.v1': onAuditRecorded,
          'stream.audit.recorded.v1': onAuditRecorded,
          'chat.audit.recorded.v1': onAuditRecorded,
          'audience.audit.recorded.v1': onAuditRecorded,
          'admin.audit.recorded.v1': onAuditRecorded,
          'metadata.audit.recorded.v1': onAuditRecorded,
          'auth.user.deleted.v1': onUserDeleted,
          'stream.programme.started.v1': onAnnouncedEvent,
          'stream.schedule.published.v1': onAnnouncedEvent,
          'stream.takeover.started.v1': onAnnouncedEvent,
          'stream.status.changed.v1': onAnnouncedEvent,
          'catalogue.submission.received.v1': onAnnouncedEvent,
          'auth.user.restricted.v1': onAnnouncedEvent,
        },
        afterApply: wake,
        background: [worker],
        tasks: [adminActivityCheck(db, logger), chainHeadLogger(db, logger), auditRetention({ db, logger })],
      }
    },
  })
