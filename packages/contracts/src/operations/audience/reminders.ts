import { ExportQuery, PushSubscriptionExportPage, ReminderExportPage } from '../../http/exports.ts'
import {
  AddPushSubscriptionBody,
  PushSubscriptionInfo,
  PushSubscriptionList,
  PushSubscriptionParams,
  Reminder,
  ReminderList,
  ReminderSettings,
  RemoveReminderBody,
  SetReminderBody,
  UpdateReminderSettingsBody,
} from '../../http/reminders.ts'
import { operation } from '../../operation.ts'

/** Idempotent: an account has one reminder of each thing. */
export const audienceReminderSet = operation({
  name: 'audience.reminder.set',
  summary: 'Set a reminder of a programme, a block, a special or an artist',
  call: 'PUT /api/me/reminders',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  outdatesShared: false,
  input: { body: SetReminderBody },
  output: { 200: Reminder },
})

/** Idempotent. */
export const audienceReminderRemove = operation({
  name: 'audience.reminder.remove',
  summary: 'Remove a reminder',
  call: 'DELETE /api/me/reminders',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  outdatesShared: false,
  input: { body: RemoveReminderBody },
  output: { 204: null },
})

export const audienceReminderList = operation({
  name: 'audience.reminder.list',
  summary: "List the caller's reminders",
  call: 'GET /api/me/reminders',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: ReminderList },
})

export const audienceReminderSettingsGet = operation({
  name: 'audience.reminder_settings.get',
  summary: 'Get how the caller is reminded',
  call: 'GET /api/me/reminders/settings',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: ReminderSettings },
})

export const audienceReminderSettingsUpdate = operation({
  name: 'audience.reminder_settings.update',
  summary: 'Change how the caller is reminded',
  call: 'PATCH /api/me/reminders/settings',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  outdatesShared: false,
  input: { body: UpdateReminderSettingsBody },
  output: { 200: ReminderSettings },
})

/** A subscription that exists is changed, and belongs to the caller from then on. It ends with the caller's session. */
export const audiencePushSubscriptionAdd = operation({
  name: 'audience.push_subscription.add',
  summary: 'Send reminders to a browser by Web Push',
  call: 'POST /api/me/push-subscriptions',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  outdatesShared: false,
  input: { body: AddPushSubscriptionBody },
  output: { 201: PushSubscriptionInfo },
})

export const audiencePushSubscriptionList = operation({
  name: 'audience.push_subscription.list',
  summary: 'List the browsers that receive reminders',
  call: 'GET /api/me/push-subscriptions',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  output: { 200: PushSubscriptionList },
})

/** Idempotent. */
export const audiencePushSubscriptionRemove = operation({
  name: 'audience.push_subscription.remove',
  summary: 'Send no more reminders to a browser',
  call: 'DELETE /api/me/push-subscriptions/:id',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  outdatesShared: false,
  input: { params: PushSubscriptionParams },
  output: { 204: null },
})

export const audienceReminderExport = operation({
  name: 'audience.reminder.export',
  summary: "Export the caller's reminders",
  call: 'GET /api/export/reminders',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: ReminderExportPage },
})

export const audiencePushSubscriptionExport = operation({
  name: 'audience.push_subscription.export',
  summary: "Export the browsers that receive the caller's reminders",
  call: 'GET /api/export/reminder-devices',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: PushSubscriptionExportPage },
})
