import type { NoticeContent } from './account-notices.ts'
import type { Mail } from './templates.ts'
import { formatMinute } from './templates.ts'

type IdentityNotice = NoticeContent & { provider: string }

/** The notice that an identity at `provider` was linked. Plain text without a link to follow, as all notices. */
export function writeIdentityLinked({ to, brand, site, at, provider }: IdentityNotice): Mail {
  return notice(to, `${provider} was linked to your ${brand} account`, [
    `An account at ${provider} was linked to your ${brand} account (${formatMinute(at)}). It can be used to sign in without a password.`,
    `If this was not you, sign in at ${site}, unlink it in your profile, sign out your other devices and change your password.`,
    brand,
  ])
}

/** The notice that the identity at `provider` was unlinked. */
export function writeIdentityUnlinked({ to, brand, site, at, provider }: IdentityNotice): Mail {
  return notice(to, `${provider} was unlinked from your ${brand} account`, [
    `Your account at ${provider} was unlinked from your ${brand} account (${formatMinute(at)}). It can no longer be used to sign in.`,
    `If this was not you, sign in at ${site}, sign out your other devices in your profile and change your password.`,
    brand,
  ])
}

const notice = (to: string, subject: string, paragraphs: readonly string[]): Mail => ({
  to,
  subject,
  text: paragraphs.join('\n\n'),
})
