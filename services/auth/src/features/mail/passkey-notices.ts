import { formatMinute, type Mail } from './templates.ts'

interface PasskeyNotice {
  to: string
  brand: string
  site: string
  at: Date
}

/** The notice that a passkey was added to the account. Plain text without a link, as all notices. */
export function writePasskeyAdded({ to, brand, site, at }: PasskeyNotice): Mail {
  return notice(to, `A passkey was added to your ${brand} account`, [
    `A passkey was added to your ${brand} account (${formatMinute(at)}). It can be used to sign in without a password.`,
    `If this was not you, sign in at ${site}, remove the passkey in your profile, sign out your other devices and change your password.`,
    brand,
  ])
}

/** The notice that the passkey `name` was removed from the account. */
export function writePasskeyRemoved({ to, brand, site, at, name }: PasskeyNotice & { name: string }): Mail {
  return notice(to, `A passkey was removed from your ${brand} account`, [
    `The passkey "${name}" was removed from your ${brand} account (${formatMinute(at)}).`,
    `If this was not you, sign in at ${site}, sign out your other devices in your profile and change your password.`,
    brand,
  ])
}

/** A WebAuthn credential, as its owner knows it. */
export interface NamedCredential {
  kind: 'passkey' | 'security key'
  name: string
}

/** The notice that a sign-in was refused because the counter of the credential did not increase. */
export function writeCredentialCopied({
  to,
  brand,
  site,
  at,
  kind,
  name,
}: PasskeyNotice & NamedCredential): Mail {
  return notice(to, `A sign-in to your ${brand} account was refused`, [
    `A sign-in with the ${kind} "${name}" of your ${brand} account was refused (${formatMinute(at)}).`,
    `The ${kind} may have been copied: it was used elsewhere since it was last used here.`,
    `Sign in at ${site} another way, remove this ${kind} in your profile and check your devices.`,
    brand,
  ])
}

const notice = (to: string, subject: string, paragraphs: readonly string[]): Mail => ({
  to,
  subject,
  text: paragraphs.join('\n\n'),
})
