import type { RestrictionType, Role } from '@looptide/contracts/common'
import type { AdminUser, Restriction } from '@looptide/contracts/http/users'
import { dateLocale } from '../../../lib/date-locale.ts'

/** What somebody is called on the desk. */
export const nameOf = ({ profile }: Pick<AdminUser, 'profile'>): string =>
  profile.handle ?? profile.artistName ?? 'Unknown'

export const ROLE_WORDS: Record<Role, { label: string; text: string }> = {
  user: { label: 'Viewer', text: 'Watches, chats, and keeps playlists.' },
  moderator: { label: 'Moderator', text: 'Also deletes chat messages and times chatters out.' },
  admin: { label: 'Administrator', text: 'May do everything at this desk.' },
}

export const RESTRICTION_WORDS: Record<RestrictionType, { label: string; text: string }> = {
  chat_banned: { label: 'Chat banned', text: 'May watch and read, but not write in the chat.' },
  site_banned: { label: 'Site banned', text: 'Is signed out everywhere at once and cannot sign in.' },
  restricted: {
    label: 'Restricted',
    text: 'May watch, but not chat, make playlists public, or change the public profile.',
  },
}

const dateAndTime = (instant: string): string =>
  new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))

/** How long it holds, in the viewer's zone. */
export const endText = ({ expiresAt }: Pick<Restriction, 'expiresAt'>): string =>
  expiresAt === null ? 'no end' : `until ${dateAndTime(expiresAt)}`
