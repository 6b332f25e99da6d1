import type { WebhookFormat } from '@looptide/contracts/http/webhooks'
import { TEST_EVENT, type WebhookPayload } from '@looptide/contracts/webhook-events'

/** Maximum characters of a title in a message. Discord refuses a message of more than 2000. */
const MAX_TITLE = 300

/** The body of a delivery in the format of the receiver. */
export function formatBody(payload: WebhookPayload, format: WebhookFormat): string {
  switch (format) {
    case 'discord':
      // A title with `@everyone` notifies nobody.
      return JSON.stringify({ content: sentenceOf(payload, DISCORD), allowed_mentions: { parse: [] } })
    case 'slack':
      return JSON.stringify({ text: sentenceOf(payload, SLACK) })
    default: {
      // Postgres sorts the fields of what it stores.
      const { type, timestamp, data } = payload
      return JSON.stringify({ type, timestamp, data })
    }
  }
}

interface Markup {
  bold(text: string): string
  /** The text without effect as markup. */
  plain(text: string): string
}

/** Discord's Markdown. Addresses are not shown with a preview because `:` is escaped. */
const DISCORD: Markup = {
  bold: (text) => `**${text}**`,
  plain: (text) => text.replace(/[\\*_~`|>#[\]()<:@-]/g, '\\$&'),
}

/** Slack's mrkdwn (“Formatting text for app surfaces”): three characters are escaped, the others have no escape. */
const SLACK: Markup = {
  bold: (text) => `*${text}*`,
  plain: (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // A zero-width space separates the signs of bold, italic, code and strike-through from their words.
      .replace(/[*_~`]/g, '$&\u200b'),
}

function sentenceOf(payload: WebhookPayload, { bold, plain }: Markup): string {
  const shown = (text: string): string => bold(plain(shorten(text)))
  switch (payload.type) {
    case 'programme.started': {
      const { channelName, title, artist } = payload.data
      const video = artist === null || artist === '' ? shown(title) : `${shown(title)} by ${shown(artist)}`
      return `Now on ${shown(channelName)}: ${video}`
    }
    case 'schedule.published':
      return `${shown(payload.data.channelName)} has a new schedule (version ${payload.data.version}).`
    case 'takeover.started':
      return `Live on ${shown(payload.data.channelName)}: ${shown(payload.data.title)}`
    case 'channel.status_changed':
      return `The channel ${shown(payload.data.channelId)} is ${STATUS[payload.data.status]}.`
    case 'submission.received':
      return 'A viewer submitted a video for review.'
    case 'user.restricted':
      return `A user was restricted: ${RESTRICTION[payload.data.restriction]}.`
    case TEST_EVENT:
      return plain(payload.data.message)
  }
}

const STATUS = { idle: 'off the air', syncing: 'starting', live: 'on the air' } as const
const RESTRICTION = {
  chat_banned: 'may not write in the chat',
  site_banned: 'may not use the station',
  restricted: 'may not post',
} as const

const shorten = (text: string): string => {
  const characters = [...text]
  return characters.length <= MAX_TITLE ? text : `${characters.slice(0, MAX_TITLE).join('')}…`
}
