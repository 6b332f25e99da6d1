import type { Reminder, ReminderKind } from '@looptide/contracts/http/reminders'
import { mutate } from 'swr'
import { isKeyOf, useCall } from '../api/use-call.ts'
import { useConfig } from '../api/use-config.ts'
import { api } from '../clients.ts'
import { useSession } from '../session/session.tsx'

/** What a reminder is about. */
export interface ReminderTarget {
  kind: ReminderKind
  channelId: string
  ref: string
  /** For messages. */
  title: string
}

const REMINDERS = 'GET /api/me/reminders'

/** The reminders of the signed-in user, by their next start; no request while signed out, and where audience does not run. */
export function useReminders() {
  const { userId } = useSession()
  const { requests } = useConfig()
  return useCall(REMINDERS, requests && userId ? {} : null, { userId })
}

/** Whether a reminder is about a target. Artists are compared as the server does, as far as a page needs it. */
export const isAbout = (
  { kind, channelId, ref }: Pick<Reminder, 'kind' | 'channelId' | 'ref'>,
  target: ReminderTarget,
): boolean =>
  kind === target.kind &&
  channelId === target.channelId &&
  (kind === 'artist' ? ref.toLowerCase() === target.ref.toLowerCase() : ref === target.ref)

const bodyOf = ({ kind, channelId, ref }: ReminderTarget) => ({ kind, channelId, ref })

/** Sets a reminder and shows it. Throws `ApiError`. */
export async function setReminder(target: ReminderTarget, minutesBefore?: number): Promise<Reminder> {
  const body = { ...bodyOf(target), ...(minutesBefore !== undefined && { minutesBefore }) }
  const reminder = await api.call('PUT /api/me/reminders', { body })
  await mutate(isKeyOf(REMINDERS))
  return reminder
}

/** Removes a reminder. Throws `ApiError`. */
export async function removeReminder(target: ReminderTarget): Promise<void> {
  await api.call('DELETE /api/me/reminders', { body: bodyOf(target) })
  await mutate(isKeyOf(REMINDERS))
}
