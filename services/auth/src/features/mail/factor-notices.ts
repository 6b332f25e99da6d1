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
