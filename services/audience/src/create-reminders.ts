import { OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import type { ServiceDeps } from '@looptide/service-kit/process/database-service'
import { isLocalSite } from '@looptide/service-kit/settings/url-settings'
import { Counter } from 'prom-client'
import type { AudienceConfig } from './config.ts'
import { onGuideChanged } from './consumers/on-guide-changed.ts'
import { onSessionRevoked } from './consumers/on-session-revoked.ts'
import type { Database } from './db/schema.ts'
import { PushSender } from './features/push/push-sender.ts'
import { PushService } from './features/push/push-service.ts'
import { pushRoutes } from './features/push/routes.ts'
import { createReadAnnounced } from './features/reminders/announced.ts'
import { guideFollower } from './features/reminders/follow-guides.ts'
import { ReminderService } from './features/reminders/reminder-service.ts'
import { reminderRoutes } from './features/reminders/routes.ts'
import { reminderSender } from './features/reminders/send-due.ts'
import type { AccountLoader } from './features/users/account-loader.ts'

interface ReminderDeps extends Pick<ServiceDeps<Database>, 'db' | 'logger' | 'metrics' | 'now'> {
  accounts: AccountLoader
}

/** Routes, consumers and background work of reminders. Without a VAPID key nothing is pushed. */
export function createReminders(config: AudienceConfig, deps: ReminderDeps) {
  const { db, logger, metrics, now, accounts } = deps
  const { siteUrl, vapidKeys, pushNetworks: allowedNetworks, rateLimitFactor } = config
  const readAnnounced = createReadAnnounced(config)
  const reminders = new ReminderService({ db, now, accounts, readAnnounced, rateLimitFactor })
  const outbound = new OutboundRequests({ siteUrl, allowedNetworks, allowsHttp: isLocalSite(siteUrl) })
  const pushes = vapidKeys !== undefined
  const results = new Counter({
    name: 'looptide_pushes_total',
    help: 'Attempts to send a reminder by Web Push, by result',
    labelNames: ['result'],
    registers: [metrics.registry],
  })
  return {
    routes: [
      ...reminderRoutes({ db, reminders, pushKey: vapidKeys?.publicKey ?? null }),
      ...pushRoutes({ push: new PushService({ db, accounts, outbound, pushes, now }) }),
    ],
    handlers: {
      'auth.session.revoked.v1': onSessionRevoked,
      'stream.channel.updated.v1': onGuideChanged(now),
      'stream.schedule.published.v1': onGuideChanged(now),
      'stream.timeline.changed.v1': onGuideChanged(now),
      'stream.timeline.extended.v1': onGuideChanged(now),
    },
    tasks: [
      guideFollower({ db, readAnnounced, logger, now }),
      reminderSender({ db, logger, now, siteUrl, pushes }),
      ...(vapidKeys === undefined
        ? []
        : [new PushSender({ db, outbound, vapidKeys, siteUrl, logger, pushes: results, now })]),
    ],
  }
}
