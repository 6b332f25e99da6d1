import {
  audienceReminderList,
  audienceReminderRemove,
  audienceReminderSet,
  audienceReminderSettingsGet,
  audienceReminderSettingsUpdate,
} from '@looptide/contracts/operations/audience/reminders'
import type { Db } from '@looptide/service-kit/db/db'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Database } from '../../db/schema.ts'
import { requireQuietHours } from './quiet-hours.ts'
import type { ReminderService } from './reminder-service.ts'
import { readSettings, saveSettings, settingsOf } from './settings-repository.ts'

interface Deps {
  db: Db<Database>
  reminders: ReminderService
  /** The station's public key for Web Push; null if it sends none. */
  pushKey: string | null
}

/** The routes of reminders, and of how an account is reminded. */
export const reminderRoutes = ({ db, reminders, pushKey }: Deps): Route[] => {
  const settings = async (userId: string) => ({
    ...settingsOf(await readSettings(db, [userId]), userId),
    pushKey,
  })
  return [
    route(audienceReminderSet, ({ user, body }) => reminders.set(user.id, body)),
    route(audienceReminderRemove, ({ user, body }) => reminders.remove(user.id, body)),
    route(audienceReminderList, async ({ user }) => ({ items: await reminders.list(user.id) })),
    route(audienceReminderSettingsGet, ({ user }) => settings(user.id)),
    route(audienceReminderSettingsUpdate, async ({ user, body }) => {
      if (body.quietHours) requireQuietHours(body.quietHours)
      await saveSettings(db, user.id, body)
      return settings(user.id)
    }),
  ]
}
