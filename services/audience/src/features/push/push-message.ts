import type { ReminderPhase } from '@looptide/contracts/http/reminders'

/** What a notice says. `startsAtMs`: of what it is about. */
export interface Notice {
  /** Of the reminded start: a later notice of the same start replaces an earlier one. */
  reminderId: string
  phase: ReminderPhase
  title: string
  channelId: string
  channelName: string
  startsAtMs: number
  minutesLeft: number
}

/**
 * The message of a push, in the form of Declarative Web Push (WebKit, `web_push: 8030`): browsers that know it show it
 * without code of the page, and in others the service worker reads the same (`web/public/push-worker.js`).
 */
export interface PushMessage {
  web_push: 8030
  notification: {
    title: string
    body: string
    /** Replaces a shown notification of the same tag. */
    tag: string
    /** Opened by a click. */
    navigate: string
    /** Epoch ms. */
    timestamp: number
  }
}

/** The message that devices show for a notice. */
export function pushMessageOf(notice: Notice, siteUrl: string): PushMessage {
  const { reminderId, title, channelId, startsAtMs } = notice
  return {
    web_push: 8030,
    notification: {
      title,
      body: textOf(notice),
      tag: reminderId,
      navigate: new URL(`/live?channel=${encodeURIComponent(channelId)}`, siteUrl).href,
      timestamp: startsAtMs,
    },
  }
}

function textOf({ phase, channelName, minutesLeft }: Notice): string {
  if (phase === 'removed') return `No longer in the guide of ${channelName}.`
  if (phase === 'start') return `Starts now on ${channelName}.`
  return `Starts in ${minutesLeft === 1 ? '1 minute' : `${minutesLeft} minutes`} on ${channelName}.`
}
