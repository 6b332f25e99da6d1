import type { EventData } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { isBanned, type UserRow } from '../user/user-repository.ts'
import type { MailQueue } from './mail-queue.ts'
import { formatMinute, type Mail } from './templates.ts'

/** A notice of the start that could not be mailed within this time after it says nothing new, in ms. */
const VALID_AFTER_START_MS = 10 * 60_000
/** How long the notice of a removed programme is tried, in ms. */
const REMOVAL_VALID_MS = 86_400_000

interface MailDeps {
  mails: MailQueue
  brandName: string
  siteUrl: string
  now: () => number
}

/** Mails that remind users of programmes. */
export class ReminderMails {
  readonly #deps: MailDeps

  constructor(deps: MailDeps) {
    this.#deps = deps
  }

  /** Queues a reminder, in the caller's transaction. Accounts without a confirmed address, or banned ones, get none. */
  async add(
    trx: Transaction<Database>,
    user: Pick<UserRow, 'id' | 'email' | 'emailConfirmedAt'>,
    reminder: EventData<'audience.reminder.due.v1'>,
  ): Promise<void> {
    const { mails, brandName, siteUrl, now } = this.#deps
    if (user.email === null || user.emailConfirmedAt === null) return
    const expiresAtMs = endOf(reminder, now())
    if (expiresAtMs <= now() || (await isBanned(trx, user.id, new Date(now())))) return
    const mail = writeReminder(reminder, { to: user.email, brand: brandName, site: siteUrl })
    await mails.add(trx, mail, { userId: user.id, slot: null, expiresAt: new Date(expiresAtMs) })
  }
}

/** Until when a reminder is mailed, in epoch ms: afterwards it says nothing new. */
function endOf(
  { phase, startsAtMs }: Pick<EventData<'audience.reminder.due.v1'>, 'phase' | 'startsAtMs'>,
  nowMs: number,
): number {
  if (phase === 'removed') return nowMs + REMOVAL_VALID_MS
  return phase === 'before' ? startsAtMs : startsAtMs + VALID_AFTER_START_MS
}

/** The mail of a reminder. */
function writeReminder(
  { phase, title, channelId, channelName, startsAtMs }: EventData<'audience.reminder.due.v1'>,
  { to, brand, site }: { to: string; brand: string; site: string },
): Mail {
  const at = formatMinute(new Date(startsAtMs))
  const live = new URL(`/live?channel=${encodeURIComponent(channelId)}`, site).href
  const settings = new URL('/members/my-reminders', site).href
  const why = `You asked ${brand} for this reminder. Your reminders, and the switch for these emails: ${settings}`
  if (phase === 'removed') {
    return {
      to,
      subject: `No longer planned: ${title}`,
      text: [`${title} is no longer in the guide of ${channelName} (${at}).`, why].join('\n\n'),
    }
  }
  const [subject, lead] =
    phase === 'start'
      ? [`Now on ${channelName}: ${title}`, `${title} starts now on ${channelName} (${at}).`]
      : [`Soon on ${channelName}: ${title}`, `${title} starts soon on ${channelName}: ${at}.`]
  return { to, subject, text: [lead, `Watch: ${live}`, why].join('\n\n') }
}
