import { THEME_ASSET_MAX_SIDE } from '@looptide/contracts/http/admin'
import { MalwareScanner } from '@looptide/service-kit/pictures/malware-scanner'
import { PictureUploads } from '@looptide/service-kit/pictures/picture-uploads'
import { databaseService } from '@looptide/service-kit/process/database-service'
import type { AdminAuditConfig } from './config.ts'
import { onAuditRecorded } from './consumers/on-audit-recorded.ts'
import { onUserDeleted } from './consumers/on-user-deleted.ts'
import type { Database } from './db/schema.ts'
import { AuditExport } from './features/audit/audit-export.ts'
import { AuditService } from './features/audit/audit-service.ts'
import { chainHeadLogger } from './features/audit/chain-head.ts'
import { exportAudit } from './features/audit/routes/export-audit.ts'
import { getLastEditor } from './features/audit/routes/get-last-editor.ts'
import { listActions } from './features/audit/routes/list-actions.ts'
import { listAudit } from './features/audit/routes/list-audit.ts'
import { adminActivityCheck } from './features/guard/admin-activity.ts'
import { GuardService } from './features/guard/guard-service.ts'
import { RefusedAttempts } from './features/guard/refused-attempts.ts'
import { guardRoute } from './features/guard/routes/guard.ts'
import { refusedAttemptsRoute } from './features/guard/routes/refused-attempts.ts'
import { auditRetention } from './features/retention/audit-retention.ts'
import { addThemeAsset } from './features/theme/routes/add-theme-asset.ts'
import { getTheme } from './features/theme/routes/get-theme.ts'
import { listSavedThemes } from './features/theme/routes/list-saved-themes.ts'
import { readThemeAsset } from './features/theme/routes/read-theme-asset.ts'
import { saveTheme } from './features/theme/routes/save-theme.ts'
import { ThemeService } from './features/theme/theme-service.ts'

/** The admin-audit service: the audit log, the guard for dangerous actions, and themes. */
export const adminAuditService = (config: AdminAuditConfig) =>
  databaseService<Database>({
    name: 'admin-audit',
    config,
    build: ({ db, logger, metrics: { registry } }) => {
      const audit = new AuditService(db)
      const refusals = new RefusedAttempts({ db, rateLimitFactor: config.rateLimitFactor })
      const guard = new GuardService({ db, logger, refusals })
      const uploads = new PictureUploads({
        db,
        logger,
        scanner: new MalwareScanner({ address: config.malwareScanner, registry, logger }),
        auditType: 'admin.audit.recorded.v1',
        targetType: 'theme_asset',
        maxSide: THEME_ASSET_MAX_SIDE,
      })
      const themes = new ThemeService(db, uploads)
      return {
        routes: [],
        scopes: {
          anyone: async (app) => {
            await app.register(getTheme, { themes })
            await app.register(readThemeAsset, { themes })
          },
          'dashboard:watch': async (app) => {
            await app.register(getLastEditor, { audit })
          },
          'audit:read': async (app) => {
            await app.register(listAudit, { audit })
            await app.register(listActions, { audit })
            await app.register(exportAudit, { exports: new AuditExport(db) })
          },
          'themes:edit': async (app) => {
            await app.register(saveTheme, { themes })
            await app.register(listSavedThemes, { themes })
            await app.register(addThemeAsset, { themes })
          },
          internal: async (app) => {
            await app.register(guardRoute, { guard })
            await app.register(refusedAttemptsRoute, { refusals })
          },
        },
        handlers: {
          'auth.audit.recorded.v1': onAuditRecorded,
          'catalogue.audit.recorded.v1': onAuditRecorded,
          'stream.audit.recorded.v1': onAuditRecorded,
          'chat.audit.recorded.v1': onAuditRecorded,
          'admin.audit.recorded.v1': onAuditRecorded,
          'metadata.audit.recorded.v1': onAuditRecorded,
          'auth.user.deleted.v1': onUserDeleted,
        },
        background: [
          adminActivityCheck(db, logger),
          chainHeadLogger(db, logger),
          auditRetention({ db, logger }),
        ],
      }
    },
  })
