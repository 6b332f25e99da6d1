import type { NoticeContent } from './account-notices.ts'
import { formatMinute, type Mail } from './templates.ts'

/** The notice that the personal access token `name` was created. Plain text without a link, as all notices. */
export function writePersonalTokenCreated({
  to,
  brand,
  site,
  at,
  name,
}: NoticeContent & { name: string }): Mail {
  const text = [
    `The access token "${name}" was created for your ${brand} account (${formatMinute(at)}). Programs that have it can act in your name.`,
    `If this was not you, sign in at ${site}, revoke it in your profile, sign out your other devices and change your password.`,
    brand,
  ].join('\n\n')
  return { to, subject: `An access token was created for your ${brand} account`, text }
}
