import type { QuietHours } from '@looptide/contracts/http/reminders'
import type { Db } from '@looptide/service-kit/db/db'
import { sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** How an account is reminded. */
export interface DeliverySettings {
  mail: boolean
  quietHours: QuietHours | null
}

const DEFAULTS: DeliverySettings = { mail: true, quietHours: null }

/** How accounts are reminded, by account; an account without settings is not among them. */
export async function readSettings(
  db: Db<Database>,
  userIds: readonly string[],
): Promise<Map<string, DeliverySettings>> {
  const rows = await db
    .selectFrom('reminderSettings')
    .selectAll()
    .where('userId', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ userId, mail, quietHours }) => [userId, { mail, quietHours }]))
}

/** How an account is reminded. */
export const settingsOf = (known: ReadonlyMap<string, DeliverySettings>, userId: string): DeliverySettings =>
  known.get(userId) ?? DEFAULTS

/** Changes how an account is reminded; what is undefined stays. */
export async function saveSettings(
  db: Db<Database>,
  userId: string,
  { mail, quietHours }: Partial<DeliverySettings>,
): Promise<void> {
  const quiet = quietHours === undefined || quietHours === null ? null : JSON.stringify(quietHours)
  await sql`
    insert into reminder_settings as known (user_id, mail, quiet_hours)
    values (${userId}, ${mail ?? DEFAULTS.mail}, ${quiet}::jsonb)
    on conflict (user_id) do update set
      mail = case when ${mail !== undefined} then excluded.mail else known.mail end,
      quiet_hours = case when ${quietHours !== undefined} then excluded.quiet_hours else known.quiet_hours end`.execute(
    db,
  )
}
