import { newId } from '@looptide/service-kit/ids'
import type { Transaction } from 'kysely'
import { newCode, newTokenHash, sha256 } from '../../crypto/one-time-secret.ts'
import type { Challenge } from '../../crypto/pkce.ts'
import { sameBytes, type Vault } from '../../crypto/vault.ts'
import type { AuthDatabase, Slot } from '../../db/schema.ts'
import { AuthError } from '../../protocol/auth-error.ts'
import type { RedirectPolicy } from '../../protocol/redirect.ts'
import type { SignUpData } from '../accounts/registration.ts'
import type { MailQueue } from '../mail/mail-queue.ts'
import { type MailKind, writeMail } from '../mail/templates.ts'
import { codeRepository } from './code-repository.ts'
import { claimMail } from './mail-quota.ts'

interface SenderDeps {
  vault: Vault
  mails: MailQueue
  redirects: RedirectPolicy
  brandName: string
  otpTtlS: number
  rateLimitFactor: number
  now: () => number
}

/** What the asker wants to come of the link. */
export interface LinkWishes {
  redirectTo: unknown
  challenge: Challenge | null
}

export interface CodeMail {
  userId: string
  slot: Slot
  kind: MailKind
  /** Where the mail goes. */
  email: string
  newEmail?: string
  /** The sign-up that asks for this mail: confirming it adopts its password and metadata. */
  signUp?: SignUpData | undefined
  wishes: LinkWishes
}

/** Puts one-time tokens into their slots and queues the mails that carry them. */
export class CodeSender {
  readonly #deps: SenderDeps

  constructor(deps: SenderDeps) {
    this.#deps = deps
  }

  /**
   * Counts a mail to this address, in the caller's transaction. Errors, alike for known and unknown addresses:
   * `over_email_send_rate_limit` with the time to wait, `service_unavailable` when the mail queue is full.
   */
  async claim(trx: Transaction<AuthDatabase>, address: string, slot: string): Promise<void> {
    const { vault, mails, rateLimitFactor, now } = this.#deps
    mails.requireRoom()
    const retryAfterMs = await claimMail(trx, {
      addressDigest: vault.digest('mail-address', address),
      slot,
      nowMs: now(),
      factor: rateLimitFactor,
    })
    if (retryAfterMs === 0) return
    throw new AuthError(
      'over_email_send_rate_limit',
      `For security purposes, you can only request this after ${Math.ceil(retryAfterMs / 1000)} seconds.`,
      { retryAfterMs },
    )
  }

  /** A new token in its slot, and its mail in the queue, in the caller's transaction. */
  async send(trx: Transaction<AuthDatabase>, mail: CodeMail): Promise<void> {
    const { vault, mails, brandName, otpTtlS, now } = this.#deps
    const { userId, slot, email, wishes } = mail
    const tokenHash = newTokenHash(wishes.challenge !== null)
    const code = newCode()
    const createdAt = new Date(now())
    const expiresAt = new Date(createdAt.getTime() + otpTtlS * 1000)
    await codeRepository.put(trx, {
      id: newId(createdAt.getTime()),
      userId,
      slot,
      email,
      tokenDigest: sha256(tokenHash),
      codeDigest: codeDigest(vault, userId, slot, code),
      codeChallenge: wishes.challenge?.challenge ?? null,
      codeChallengeMethod: wishes.challenge?.method ?? null,
      passwordHash: mail.signUp?.passwordHash ?? null,
      userMetadata: mail.signUp?.userMetadata ?? null,
      signUpClient: mail.signUp?.signUpClient ?? null,
      createdAt,
      expiresAt,
    })
    const text = writeMail({
      kind: mail.kind,
      to: email,
      link: this.#link(tokenHash, mail.kind, wishes.redirectTo),
      code,
      brand: brandName,
      validS: otpTtlS,
      askedAt: createdAt,
      newEmail: mail.newEmail,
    })
    await mails.add(trx, text, { userId, slot, expiresAt })
  }

  /** Call after the commit: the mail leaves at once instead of with the next look at the queue. */
  wake(): void {
    this.#deps.mails.wake()
  }

  /** A page of the app that spends the token on a click: scanners that prefetch links do not click. */
  #link(tokenHash: string, type: MailKind, redirectTo: unknown): string {
    const { redirects } = this.#deps
    const link = new URL('/auth/confirm', redirects.site)
    link.searchParams.set('token_hash', tokenHash)
    link.searchParams.set('type', type)
    const target = redirects.resolve(redirectTo).href
    if (target !== redirects.site) link.searchParams.set('redirect_to', target)
    return link.href
  }
}

/** How a six-digit code is stored: with a key, since a million tries would find a plain hash. */
export const codeDigest = (vault: Vault, userId: string, slot: Slot, code: string): Buffer =>
  vault.digest('code', userId, slot, code)

/** Whether `digest` is how this code is stored, with the key secret in force or the one before. */
export const isCodeDigest = (
  vault: Vault,
  digest: Buffer,
  { userId, slot, code }: { userId: string; slot: Slot; code: string },
): boolean => vault.digests('code', userId, slot, code).some((possible) => sameBytes(digest, possible))
