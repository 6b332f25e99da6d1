import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { SecurityNotices } from '../features/mail/security-notices.ts'
import { lockAdmins } from '../features/user/role-repository.ts'
import { lockByIds } from '../features/user/user-repository.ts'

/** Mails all admins that the station switched a webhook off. */
export const onWebhookDisabled =
  (notices: SecurityNotices) =>
  async (trx: Transaction<Database>, { data }: Envelope<'admin.webhook.disabled.v1'>): Promise<void> => {
    for (const admin of await lockByIds(trx, await lockAdmins(trx))) {
      await notices.webhookDisabled(trx, admin, data)
    }
  }
