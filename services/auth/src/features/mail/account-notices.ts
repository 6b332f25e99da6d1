import type { Role } from '@looptide/contracts/common'
import type { WebhookFailure } from '@looptide/contracts/http/webhooks'
import { formatMinute, type Mail } from './templates.ts'

export interface NoticeContent {
  to: string
  brand: string
  site: string
  at: Date
}

/** The notice that the password was changed. Plain text without a link to follow, as all notices. */
export function writePasswordChanged({ to, brand, site, at }: NoticeContent): Mail {
  return notice(to, `The password of your ${brand} account was changed`, [
    `The password of your ${brand} account was changed (${formatMinute(at)}). Other devices were signed out.`,
    `If this was not you, choose a new password at ${site} ("Forgot your password?").`,
    brand,
  ])
}

/** The notice of a sign-in from a network and browser that the account was not used with before. */
export function writeNewSignIn(
  content: NoticeContent & { device: string | null; network: string | null },
): Mail {
  const { to, brand, site, at, device, network } = content
  return notice(to, `New sign-in to your ${brand} account`, [
    `Someone signed in to your ${brand} account from a browser and a network that were not used with it before.`,
    `Time: ${formatMinute(at)}\nBrowser: ${device ?? 'unknown'}\nNetwork: ${network ?? 'unknown'}`,
    `If this was you, you do not need to do anything. If not, change your password and sign out the other devices at ${membersUrl(site)}.`,
    brand,
  ])
}

/** The notice to the former address that the account has another one. */
export function writeEmailChanged({ to, brand, at, newEmail }: NoticeContent & { newEmail: string }): Mail {
  return notice(to, `The email address of your ${brand} account was changed`, [
    `The email address of your ${brand} account was changed to ${newEmail} (${formatMinute(at)}). This address will receive no more emails about the account.`,
    `If this was not you, contact the operator of ${brand}.`,
    brand,
  ])
}

/** The notice that the account got a role of the staff. */
export function writeRoleGranted({ to, brand, site, at, role }: NoticeContent & { role: Role }): Mail {
  return notice(to, `Your ${brand} account has the role ${role}`, [
    `Your ${brand} account was given the role ${role} (${formatMinute(at)}).`,
    `Use a password that you use nowhere else, and check your devices in your profile at ${site}.`,
    brand,
  ])
}

const DISABLED_BECAUSE: Readonly<Record<WebhookFailure, string>> = {
  failing: 'A delivery failed for three days.',
  gone: 'The receiver answered that it wants no more deliveries (410).',
  backlog: 'Too many deliveries were waiting.',
}

/** The notice to an admin that the station switched a webhook off. */
export function writeWebhookDisabled({
  to,
  brand,
  site,
  at,
  host,
  reason,
}: NoticeContent & { host: string; reason: WebhookFailure }): Mail {
  return notice(to, `A webhook of ${brand} was switched off`, [
    `The webhook to ${host} was switched off (${formatMinute(at)}). ${DISABLED_BECAUSE[reason]}`,
    `Events since then are not sent to it. See its deliveries and switch it on again in the admin pages of ${site}.`,
    brand,
  ])
}

/** The notice that the account was deleted. */
export function writeAccountDeleted({ to, brand, at }: NoticeContent): Mail {
  return notice(to, `Your ${brand} account was deleted`, [
    `Your ${brand} account was deleted (${formatMinute(at)}).`,
    `If this was not you, contact the operator of ${brand}.`,
    brand,
  ])
}

/** The user's own profile page. */
const membersUrl = (site: string): string => new URL('/members', site).href

const notice = (to: string, subject: string, paragraphs: readonly string[]): Mail => ({
  to,
  subject,
  text: paragraphs.join('\n\n'),
})
