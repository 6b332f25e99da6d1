import type { RestrictionType, Role } from '@looptide/contracts/common'
import type { AdminUser, Restriction } from '@looptide/contracts/http/users'
import { dateLocale } from '../../lib/time/date-locale.ts'

/** A user's name in the admin dashboard. */
export const nameOf = ({ profile }: Pick<AdminUser, 'profile'>): string =>
  profile.handle ?? profile.artistName ?? 'Unknown'

export const ROLE_LABELS: Record<Role, { label: string; text: string }> = {
  user: { label: 'Viewer', text: 'Can watch, chat and create playlists.' },
  programmer: {
    label: 'Programmer',
    text: 'Can also edit the video library, channel playlists and schedules.',
  },
  curator: { label: 'Curator', text: 'Can also edit the home page, the theme and page layouts.' },
  moderator: {
    label: 'Moderator',
    text: 'Can also moderate the chat, review submissions and take over channels.',
  },
  admin: { label: 'Administrator', text: 'Has full access to the admin dashboard.' },
}

/** `done` completes the toast "User has been …". */
export const RESTRICTION_LABELS: Record<RestrictionType, { label: string; text: string; done: string }> = {
  chat_banned: {
    label: 'Chat banned',
    text: 'Can watch and read the chat, but not post.',
    done: 'banned from the chat',
  },
  site_banned: {
    label: 'Site banned',
    text: 'Is signed out everywhere immediately and cannot sign in.',
    done: 'banned from the site',
  },
  restricted: {
    label: 'Restricted',
    text: 'Can watch, but not chat, make playlists public or edit the public profile.',
    done: 'restricted',
  },
}

const dateAndTime = (instant: string): string =>
  new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))

/** When a restriction expires, in the viewer's time zone. */
export const endText = ({ expiresAt }: Pick<Restriction, 'expiresAt'>): string =>
  expiresAt === null ? 'no expiry' : `until ${dateAndTime(expiresAt)}`
