import { Type } from 'typebox'
import { auditEvent, event, push } from '../event.ts'
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
  auditEvent('admin', { outdates: 'admin-audit' }),
] as const
