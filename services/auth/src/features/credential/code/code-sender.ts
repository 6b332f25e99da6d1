import { newId } from '@looptide/service-kit/db/ids'
import type { Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import { newCode, newTokenHash, sha256 } from '../../../crypto/one-time-secret.ts'
import type { Challenge } from '../../../crypto/pkce.ts'
import { sameBytes, type Vault } from '../../../crypto/vault.ts'
import type { Database, MailSlot, Slot } from '../../../db/schema.ts'
import type { MailRequester } from '../../limits/mail-guard.ts'
import { beginClaim, undoClaim } from '../../mail/mail-counter-repository.ts'
import type { MailQueue } from '../../mail/mail-queue.ts'
import { chargeMail, claimMail, type MailRequest, type RefusedMail } from '../../mail/mail-quota.ts'
import { type MailKind, writeMail, writeReauthentication } from '../../mail/templates.ts'
import { mailboxOf } from '../../user/mailbox.ts'
import type { SignUpData } from '../../user/sign-up-data.ts'
import { codeLifetimeS } from './code-lifetime.ts'
import * as codeRepository from './code-repository.ts'
import type { RedirectPolicy } from './redirect-policy.ts'

interface SenderDeps {
  vault: Vault
  mails: MailQueue
  redirects: RedirectPolicy
  brandName: string
  otpTtlS: number
  rateLimitFactor: number
  now: () => number
}

/** The options of a link that its requester specified: its target and a PKCE challenge. */
export interface LinkOptions {
  redirectTo: unknown
  challenge: Challenge | null
}

/** A mailbox that a mail is requested for, and by whom. */
export interface Recipient {
  email: string
  slot: MailSlot
  requester: MailRequester
}

export interface CodeMail {
  userId: string
  /** Tokens of other requesters do not replace this one: {@link MailRequester.ownBudget} is set. */
  isTrusted: boolean
  slot: Slot
  kind: MailKind
  /** Recipient of the mail. */
  email: string
  newEmail?: string
  /** Whether an admin demanded the new password that a recovery mail is for. */
  isDemanded?: boolean
  /** The sign-up that requests this mail. Confirming adopts its password and metadata. */
  signUp?: SignUpData | undefined
  linkOptions: LinkOptions
}

/** A one-time token in clear: only its digests are stored. */
export interface IssuedCode {
  tokenHash: string
  /** Six digits. */
  code: string
  link: string
  /** Lifetime in seconds. */
  validS: number
  createdAt: Date
  expiresAt: Date
}

/** Stores one-time tokens and queues the mails that carry them. */
export class CodeSender {
  readonly #deps: SenderDeps

  constructor(deps: SenderDeps) {
    this.#deps = deps
  }

  /**
   * Counts a mail to this recipient, with all other tags of its mailbox, in the caller's transaction. Errors, the same for
   * known and unknown emails: `too_many_mails` with the time to wait and a challenge that the client can solve instead,
   * `mail_queue_full` when the mail queue is full.
   */
  async claim(trx: Transaction<Database>, recipient: Recipient): Promise<void> {
    this.#deps.mails.requireCapacity()
    const refused = await this.tryClaim(trx, recipient)
    if (refused === undefined) return
    const { waitMs, excess } = refused
    throw new AccountError(
      'too_many_mails',
      `For security purposes, you can only request this after ${Math.ceil(waitMs / 1000)} seconds.`,
      { retryAfterMs: waitMs, challenge: await recipient.requester.challenge(excess) },
    )
  }

  /**
   * As {@link claim}, for a mail whose refusal must not be visible: returns the limit that refuses the mail, which then does
   * not count.
   */
  async tryClaim(trx: Transaction<Database>, recipient: Recipient): Promise<RefusedMail | undefined> {
    await beginClaim(trx)
    const refused = await claimMail(trx, this.#requestOf(recipient))
    if (refused === undefined) {
      if (recipient.requester.ownBudget !== undefined) await this.charge(trx, ofStrangers(recipient))
      return undefined
    }
    await undoClaim(trx)
    if (!(await recipient.requester.hasProof())) return refused
    await this.charge(trx, recipient)
    return undefined
  }

  /** Counts a mail that no limit refuses. */
  async charge(trx: Transaction<Database>, recipient: Recipient): Promise<void> {
    await chargeMail(trx, this.#requestOf(recipient))
  }

  #requestOf({ email, slot, requester: { ownBudget } }: Recipient): MailRequest {
    const { vault, rateLimitFactor, now } = this.#deps
    const budget = ownBudget === undefined ? [] : [ownBudget]
    const addressDigest = vault.digest('mail-address', mailboxOf(email), ...budget)
    return { addressDigest, slot, nowMs: now(), factor: rateLimitFactor }
  }

  /** Stores a new token and queues its mail, in the caller's transaction. */
  async send(trx: Transaction<Database>, mail: CodeMail): Promise<void> {
    const { mails, brandName } = this.#deps
    const { userId, slot, kind, email, newEmail, isDemanded } = mail
    const { link, code, validS, createdAt, expiresAt } = await this.issue(trx, mail)
    const content = { kind, to: email, link, code, brand: brandName, validS, newEmail, isDemanded }
    await mails.add(trx, writeMail({ ...content, requestedAt: createdAt }), { userId, slot, expiresAt })
  }

  /** Stores a new token without mailing it, in the caller's transaction. */
  async issue(trx: Transaction<Database>, mail: CodeMail): Promise<IssuedCode> {
    const { vault, otpTtlS, now } = this.#deps
    const { userId, slot, email, linkOptions } = mail
    const tokenHash = newTokenHash(linkOptions.challenge !== null)
    const code = newCode()
    const createdAt = new Date(now())
    const validS = await codeLifetimeS(trx, mail, otpTtlS)
    const expiresAt = new Date(createdAt.getTime() + validS * 1000)
    await codeRepository.put(trx, {
      id: newId(createdAt.getTime()),
      userId,
      slot,
      email,
      tokenDigest: sha256(tokenHash),
      codeDigest: codeDigest(vault, userId, slot, code),
      codeChallenge: linkOptions.challenge?.challenge ?? null,
      codeChallengeMethod: linkOptions.challenge?.method ?? null,
      isTrusted: mail.isTrusted,
      passwordHash: mail.signUp?.passwordHash ?? null,
      userMetadata: mail.signUp?.userMetadata ?? null,
      signUpClient: mail.signUp?.signUpClient ?? null,
      createdAt,
      expiresAt,
    })
    const link = this.#link(tokenHash, mail.kind, linkOptions.redirectTo)
    return { tokenHash, code, link, validS, createdAt, expiresAt }
  }

  /** Queues the mail with a code that replaces the current password. Returns the stored form of the code. */
  async sendReauthentication(trx: Transaction<Database>, userId: string, email: string): Promise<Buffer> {
    const { vault, mails, brandName, otpTtlS, now } = this.#deps
    const code = newCode()
    const requestedAt = new Date(now())
    const slot = 'reauthentication'
    const validS = await codeLifetimeS(trx, { userId, slot }, otpTtlS)
    const mail = writeReauthentication({ to: email, code, brand: brandName, validS, requestedAt })
    const expiresAt = new Date(requestedAt.getTime() + validS * 1000)
    await mails.add(trx, mail, { userId, slot, expiresAt })
    return codeDigest(vault, userId, slot, code)
  }

  /** Sends queued mails now instead of at the next poll. Call it after the commit. */
  wake(): void {
    this.#deps.mails.wake()
  }

  /** A page of the web app that redeems the token on a click. Scanners that prefetch links do not click. */
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

/** What a mail from an own budget counts against as well: it is one mail more to the mailbox. */
const ofStrangers = ({ requester, ...mail }: Recipient): Recipient => ({
  ...mail,
  requester: { ...requester, ownBudget: undefined },
})

/** Stored form of a six-digit code. The digest is keyed, because a plain hash can be reversed in a million attempts. */
const codeDigest = (vault: Vault, userId: string, slot: MailSlot, code: string): Buffer =>
  vault.digest('code', userId, slot, code)

/** Whether `digest` is the stored form of this code, with the current or the former secret. */
export const isCodeDigest = (
  vault: Vault,
  digest: Buffer,
  { userId, slot, code }: { userId: string; slot: MailSlot; code: string },
): boolean => vault.digests('code', userId, slot, code).some((possible) => sameBytes(digest, possible))
