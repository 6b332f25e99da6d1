import type { NoticeContent } from './account-notices.ts'
import { formatMinute, type Mail } from './templates.ts'

/** A security-relevant change of an account, about which its owner is notified. */
export type FactorNotice =
  | { kind: 'factor_added' | 'factor_removed'; factorType: 'totp' | 'webauthn' }
  | { kind: 'recovery_codes_created' | 'recovery_codes_removed' }
  | { kind: 'recovery_code_used'; remaining: number }

const DEVICES = {
  totp: { name: 'An authenticator app', proof: 'a code from this app' },
  webauthn: { name: 'A security key', proof: 'this key' },
} as const

interface NoticeTexts {
  subject: string
  lead: string
}

function textsFor(notice: FactorNotice, account: string): NoticeTexts {
  switch (notice.kind) {
    case 'factor_added': {
      const { name, proof } = DEVICES[notice.factorType]
      return {
        subject: `Two-step verification was turned on for your ${account}`,
        lead: `${name} was added to your ${account}. Signing in now requires ${proof}.`,
      }
    }
    case 'factor_removed': {
      const { name } = DEVICES[notice.factorType]
      return {
        subject: `${name} was removed from your ${account}`,
        lead: `${name} was removed from your ${account}. It can no longer be used to sign in.`,
      }
    }
    case 'recovery_codes_created':
      return {
        subject: `New recovery codes for your ${account}`,
        lead: `New recovery codes were created for your ${account}. Earlier ones no longer work.`,
      }
    case 'recovery_codes_removed':
      return {
        subject: `The recovery codes of your ${account} were removed`,
        lead: `The recovery codes of your ${account} were removed. They no longer work.`,
      }
    case 'recovery_code_used':
      return {
        subject: `A recovery code of your ${account} was used`,
        lead: `Someone signed in to your ${account} with a recovery code, after your password or an email link. ${leftText(notice.remaining)}`,
      }
  }
}

const leftText = (remaining: number): string =>
  remaining === 0
    ? 'No recovery codes are left. Create new ones in your profile.'
    : `${remaining} ${remaining === 1 ? 'code is' : 'codes are'} left.`

/** Writes a notice. It is plain text without a link to follow, like that of a session that was signed out. */
export function writeFactorNotice(
  notice: FactorNotice,
  content: { to: string; brand: string; site: string; at: Date },
): Mail {
  const { subject, lead } = textsFor(notice, `${content.brand} account`)
  const text = [
    `${lead} (${formatMinute(content.at)})`,
    `If this was not you, sign in at ${content.site}, change your password and check two-step verification and your devices in your profile.`,
    content.brand,
  ].join('\n\n')
  return { to: content.to, subject, text }
}

/** The notice that a passkey was added to the account. Plain text without a link, as all notices. */
export function writePasskeyAdded({ to, brand, site, at }: NoticeContent): Mail {
  return notice(to, `A passkey was added to your ${brand} account`, [
    `A passkey was added to your ${brand} account (${formatMinute(at)}). It can be used to sign in without a password.`,
    `If this was not you, sign in at ${site}, remove the passkey in your profile, sign out your other devices and change your password.`,
    brand,
  ])
}

/** The notice that the passkey `name` was removed from the account. */
export function writePasskeyRemoved({ to, brand, site, at, name }: NoticeContent & { name: string }): Mail {
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
}: NoticeContent & NamedCredential): Mail {
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
