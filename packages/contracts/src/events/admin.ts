import { Type } from 'typebox'
import { Uuid } from '../common.ts'
import { auditEvent, event, push } from '../event.ts'
import { WEBHOOK_FAILURES } from '../http/webhooks.ts'
import { type ServerPushes, topics } from '../realtime.ts'

/** The events of admin-audit. */
export const adminEvents = [
  event('admin.theme.activated.v1', {
    data: Type.Object({ theme: Type.Unknown() }),
    push: ({ theme }) => [
      push('station', topics.station, 'theme', { theme: theme as ServerPushes['station']['theme']['theme'] }),
    ],
    outdates: 'admin-audit',
  }),
  /** The station switched a webhook off. Auth mails the admins. */
  event('admin.webhook.disabled.v1', {
    data: Type.Object({ webhookId: Uuid, host: Type.String(), reason: Type.Enum(WEBHOOK_FAILURES) }),
    consumers: ['auth'],
  }),
  auditEvent('admin', { outdates: 'admin-audit' }),
] as const
