export interface Mail {
  to: string
  subject: string
  text: string
  /** Missing from mails that are plain text only. */
  html?: string
}

export type MailKind = 'signup' | 'magiclink' | 'recovery' | 'email_change'

/** What a mail says. `validS`: seconds the link and the code are good. */
export interface MailFacts {
  kind: MailKind
  to: string
  link: string
  code: string
  brand: string
  validS: number
  /** When the mail was asked for. */
  askedAt: Date
  /** Of a change of address: the other address. */
  newEmail?: string | undefined
}

interface Words {
  subject: string
  lead: string
  button: string
}

function wordsFor({ kind, brand, newEmail }: MailFacts): Words {
  switch (kind) {
    case 'signup':
      return {
        subject: `Confirm your address for ${brand}`,
        lead: `Welcome to ${brand}! Confirm your address to start watching.`,
        button: 'Confirm my address',
      }
    case 'magiclink':
      return {
        subject: `Your sign-in link for ${brand}`,
        lead: `Here is your link to sign in to ${brand}.`,
        button: 'Sign in',
      }
    case 'recovery':
      return {
        subject: `Reset your ${brand} password`,
        lead: `Somebody, hopefully you, asked to reset the password of your ${brand} account.`,
        button: 'Choose a new password',
      }
    case 'email_change':
      return {
        subject: `Confirm the change of your ${brand} address`,
        lead: `Your ${brand} account is to move to ${newEmail ?? 'another address'}. Both addresses must agree.`,
        button: 'Agree to the change',
      }
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 32};`)

const minuteOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function duration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes % 60 === 0) return minutes === 60 ? '1 hour' : `${minutes / 60} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** A mail as plain text and as HTML. Both carry the link and the code. */
export function writeMail(facts: MailFacts): Mail {
  const { subject, lead, button } = wordsFor(facts)
  const validity = `The link and the code work once, within ${duration(facts.validS)}.`
  const ignore = `This mail was requested at ${minuteOf(facts.askedAt)}. If that was not you, ignore it: nothing happens without the link.`
  const text = [
    lead,
    `${button}: ${facts.link}`,
    `Or enter this code: ${facts.code}`,
    validity,
    ignore,
    facts.brand,
  ].join('\n\n')
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f3f4f6;font-family:Arial,Helvetica,sans-serif;color:#111827">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(facts.brand)}</h1>
<p>${escapeHtml(lead)}</p>
<p style="margin:24px 0"><a href="${escapeHtml(facts.link)}" style="display:inline-block;padding:12px 20px;background:#2563eb;color:#ffffff;border-radius:6px;text-decoration:none">${escapeHtml(button)}</a></p>
<p>Or enter this code:</p>
<p style="font-size:28px;letter-spacing:6px;font-weight:bold">${escapeHtml(facts.code)}</p>
<p style="color:#4b5563;font-size:14px">${escapeHtml(validity)}</p>
<p style="color:#4b5563;font-size:14px">${escapeHtml(ignore)}</p>
</div></body></html>`
  return { to: facts.to, subject, text, html }
}

/**
 * Tells the owner of an account that one of its sessions ended because a spent refresh token was used. Plain text, and
 * without a link: it asks for nothing, and nothing in it can be forged to lead elsewhere.
 */
export function writeSessionEnded(facts: { to: string; brand: string; site: string; at: Date }): Mail {
  const text = [
    `One of your ${facts.brand} sessions was used from two places and has been signed out (${minuteOf(facts.at)}).`,
    'This can happen when a copy of your browser data is used elsewhere, or when somebody has stolen your session.',
    `Sign in again at ${facts.site}. If you do not recognise what happened, change your password and check the list of your sessions in your profile.`,
    facts.brand,
  ].join('\n\n')
  return { to: facts.to, subject: `A session of your ${facts.brand} account was signed out`, text }
}
