export interface Mail {
  to: string
  subject: string
  text: string
  /** Absent from plain-text mails. */
  html?: string
}

export type MailKind = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

/** The content of a mail with a link and a code. `validS`: lifetime of both, in seconds. */
export interface MailContent {
  kind: MailKind
  to: string
  link: string
  code: string
  brand: string
  validS: number
  /** When the mail was requested. */
  requestedAt: Date
  /** The new email of an email change; undefined for the first one of an anonymous user. */
  newEmail?: string | undefined
  /** Whether an admin demanded the new password that a recovery mail is for. */
  isDemanded?: boolean | undefined
}

interface MailTexts {
  subject: string
  lead: string
  button: string
}

function textsFor({ kind, brand, newEmail, isDemanded }: MailContent): MailTexts {
  switch (kind) {
    case 'signup':
      return {
        subject: `Confirm your email address for ${brand}`,
        lead: `Welcome to ${brand}! Confirm your email address to start watching.`,
        button: 'Confirm my email address',
      }
    case 'invite':
      return {
        subject: `You are invited to ${brand}`,
        lead: `You have been invited to ${brand}. Accept the invitation to start watching.`,
        button: 'Accept the invitation',
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
        lead: isDemanded
          ? `An administrator has reset the password of your ${brand} account. Your old password no longer works, and your devices have been signed out.`
          : `Someone, hopefully you, asked to reset the password of your ${brand} account.`,
        button: 'Choose a new password',
      }
    case 'email_change':
      if (newEmail === undefined) {
        return {
          subject: `Confirm your ${brand} email address`,
          lead: `Someone, hopefully you, wants to use this email address for a ${brand} account.`,
          button: 'Confirm email address',
        }
      }
      return {
        subject: `Confirm the change of your ${brand} email address`,
        lead: `The email address of your ${brand} account will change to ${newEmail}. Both addresses must confirm the change.`,
        button: 'Confirm the change',
      }
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 32};`)

/** A time to the minute, in UTC. */
export const formatMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function duration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes % 60 === 0) return minutes === 60 ? '1 hour' : `${minutes / 60} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** Writes a mail as plain text and as HTML. Both contain the link and the code. */
export function writeMail(content: MailContent): Mail {
  const { subject, lead, button } = textsFor(content)
  const validity = `The link and the code work once, within ${duration(content.validS)}.`
  const at = formatMinute(content.requestedAt)
  const ignore = content.isDemanded
    ? `This email was sent at ${at}. If the link has expired, choose "Forgot your password?" on the sign-in page to get a new one.`
    : `This email was requested at ${at}. If this was not you, ignore it: nothing changes unless the link or the code is used.`
  const text = [
    lead,
    `${button}: ${content.link}`,
    `Or enter this code: ${content.code}`,
    validity,
    ignore,
    content.brand,
  ].join('\n\n')
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f3f4f6;font-family:Arial,Helvetica,sans-serif;color:#111827">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(content.brand)}</h1>
<p>${escapeHtml(lead)}</p>
<p style="margin:24px 0"><a href="${escapeHtml(content.link)}" style="display:inline-block;padding:12px 20px;background:#2563eb;color:#ffffff;border-radius:6px;text-decoration:none">${escapeHtml(button)}</a></p>
<p>Or enter this code:</p>
<p style="font-size:28px;letter-spacing:6px;font-weight:bold">${escapeHtml(content.code)}</p>
<p style="color:#4b5563;font-size:14px">${escapeHtml(validity)}</p>
<p style="color:#4b5563;font-size:14px">${escapeHtml(ignore)}</p>
</div></body></html>`
  return { to: content.to, subject, text, html }
}

/** Writes the mail with the code that replaces the current password. There is no link: the code belongs to a form. */
export function writeReauthentication(
  content: Pick<MailContent, 'to' | 'code' | 'brand' | 'validS' | 'requestedAt'>,
): Mail {
  const { to, code, brand, validS, requestedAt } = content
  const text = [
    `Someone, hopefully you, wants to change the password of your ${brand} account. Enter this code: ${code}`,
    `The code works once, within ${duration(validS)}.`,
    `This email was requested at ${formatMinute(requestedAt)} by a signed-in device. If this was not you, do not share the code, and sign out your other devices in your profile.`,
    brand,
  ].join('\n\n')
  return { to, subject: `Your code to change the ${brand} password`, text }
}

/**
 * Writes the notice that a reused refresh token ended a session. It is plain text without a link: it
 * requires no action, and a forged copy cannot hide another destination behind a link.
 */
export function writeSessionEnded(content: { to: string; brand: string; site: string; at: Date }): Mail {
  const text = [
    `One of your ${content.brand} sessions was used from two places and has been signed out (${formatMinute(content.at)}).`,
    'This can happen when a copy of your browser data is used elsewhere, or when someone has stolen your session.',
    `Sign in again at ${content.site}. If you do not recognise this, change your password and check your devices in your profile.`,
    content.brand,
  ].join('\n\n')
  return { to: content.to, subject: `A session of your ${content.brand} account was signed out`, text }
}
