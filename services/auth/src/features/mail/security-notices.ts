import type { Role } from '@looptide/contracts/common'
import type { WebhookFailure } from '@looptide/contracts/http/webhooks'
import type { Transaction } from 'kysely'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import { requireAddress } from '../user/require-address.ts'
import type { UserRow } from '../user/user-repository.ts'
import {
  type NoticeContent,
  writeAccountDeleted,
  writeEmailChanged,
  writeNewSignIn,
  writePasswordChanged,
  writeRoleGranted,
  writeWebhookDisabled,
} from './account-notices.ts'
import {
  type FactorNotice,
  type NamedCredential,
  writeCredentialCopied,
  writeFactorNotice,
  writeIdentityLinked,
  writeIdentityUnlinked,
  writePasskeyAdded,
  writePasskeyRemoved,
  writePersonalTokenCreated,
} from './credential-notices.ts'
import type { MailQueue } from './mail-queue.ts'
import { claimSlot } from './mail-quota.ts'
import { type Mail, writeSessionEnded } from './templates.ts'

const VALID_MS = 86_400_000

interface NoticeDeps {
  vault: Vault
  mails: MailQueue
  brandName: string
  siteUrl: string
  now: () => number
}

/** Mails that notify users of security events in their account. They contain no link to follow and no code. */
export class SecurityNotices {
  readonly #deps: NoticeDeps

  constructor(deps: NoticeDeps) {
    this.#deps = deps
  }

  /** Queues the notice that a reused refresh token ended a session, in the caller's transaction. */
  async sessionEnded(trx: Transaction<Database>, user: UserRow): Promise<void> {
    if (!(await this.#claim(trx, user, 'session_ended'))) return
    await this.#add(trx, user.id, writeSessionEnded(this.#content(user)))
  }

  /** Queues the notice of a sign-in from a network and browser that the account was not used with before. */
  async newSignIn(
    trx: Transaction<Database>,
    user: UserRow,
    client: { device: string | null; network: string | null },
  ): Promise<void> {
    if (user.emailConfirmedAt === null || !(await this.#claim(trx, user, 'new_sign_in'))) return
    await this.#add(trx, user.id, writeNewSignIn({ ...this.#content(user), ...client }))
  }

  /** Queues the notice that the password was changed. Unconfirmed addresses, maybe of strangers, get no notices. */
  async passwordChanged(trx: Transaction<Database>, user: UserRow): Promise<void> {
    if (user.emailConfirmedAt === null) return
    await this.#add(trx, user.id, writePasswordChanged(this.#content(user)))
  }

  /** Queues the notice to the former email of `user` that the account has another one. */
  async emailChanged(trx: Transaction<Database>, user: UserRow, newEmail: string): Promise<void> {
    if (user.emailConfirmedAt === null) return
    await this.#add(trx, user.id, writeEmailChanged({ ...this.#content(user), newEmail }))
  }

  /** Queues the notice that the user got a role of the staff. */
  async roleGranted(trx: Transaction<Database>, user: UserRow, role: Role): Promise<void> {
    if (user.emailConfirmedAt === null) return
    await this.#add(trx, user.id, writeRoleGranted({ ...this.#content(user), role }))
  }

  /** Queues the notice to an admin that the station switched a webhook off. */
  async webhookDisabled(
    trx: Transaction<Database>,
    user: UserRow,
    webhook: { host: string; reason: WebhookFailure },
  ): Promise<void> {
    if (user.email === null || user.emailConfirmedAt === null) return
    await this.#add(trx, user.id, writeWebhookDisabled({ ...this.#content(user), ...webhook }))
  }

  /** Queues the notice that an account was deleted. Call it after the deletion, which deletes the user's mails. */
  async accountDeleted(trx: Transaction<Database>, user: UserRow): Promise<void> {
    if (user.emailConfirmedAt === null) return
    await this.#add(trx, null, writeAccountDeleted(this.#content(user)))
  }

  /** Queues the notice that a passkey was added. Rate limits of the account limit these and the following. */
  async passkeyAdded(trx: Transaction<Database>, user: UserRow): Promise<void> {
    await this.#add(trx, user.id, writePasskeyAdded(this.#content(user)))
  }

  /** Queues the notice that the passkey `name` was removed. */
  async passkeyRemoved(trx: Transaction<Database>, user: UserRow, name: string): Promise<void> {
    await this.#add(trx, user.id, writePasskeyRemoved({ ...this.#content(user), name }))
  }

  /** Queues the notice that a copy of a passkey or security key was refused. */
  async credentialCopied(
    trx: Transaction<Database>,
    user: UserRow,
    credential: NamedCredential,
  ): Promise<void> {
    if (!(await this.#claim(trx, user, 'passkey_copied'))) return
    await this.#add(trx, user.id, writeCredentialCopied({ ...this.#content(user), ...credential }))
  }

  /** Queues the notice that an identity at `provider` was linked. */
  async identityLinked(trx: Transaction<Database>, user: UserRow, provider: string): Promise<void> {
    await this.#add(trx, user.id, writeIdentityLinked({ ...this.#content(user), provider }))
  }

  /** Queues the notice that the identity at `provider` was unlinked. */
  async identityUnlinked(trx: Transaction<Database>, user: UserRow, provider: string): Promise<void> {
    await this.#add(trx, user.id, writeIdentityUnlinked({ ...this.#content(user), provider }))
  }

  /** Queues the notice of a change of the user's second factors, in the caller's transaction. */
  async factorsChanged(trx: Transaction<Database>, user: UserRow, notice: FactorNotice): Promise<void> {
    await this.#add(trx, user.id, writeFactorNotice(notice, this.#content(user)))
  }

  /** Queues the notice that the personal access token `name` was created. */
  async personalTokenCreated(trx: Transaction<Database>, user: UserRow, name: string): Promise<void> {
    await this.#add(trx, user.id, writePersonalTokenCreated({ ...this.#content(user), name }))
  }

  /** Whether a notice that others can cause may be sent now. */
  async #claim(trx: Transaction<Database>, user: UserRow, slot: string): Promise<boolean> {
    if (user.email === null) return false
    // By account, not by mailbox: somebody with an account under another tag could suppress the warnings of this one.
    const addressDigest = this.#deps.vault.digest('mail-address', user.email)
    // The quota of the day limits mails that anyone can request. A warning must not be limited by it.
    return (await claimSlot(trx, { addressDigest, slot, nowMs: this.#deps.now(), factor: 1 })) === undefined
  }

  #content(user: UserRow): NoticeContent {
    const { brandName, siteUrl, now } = this.#deps
    return { to: requireAddress(user), brand: brandName, site: siteUrl, at: new Date(now()) }
  }

  async #add(trx: Transaction<Database>, userId: string | null, mail: Mail): Promise<void> {
    const { mails, now } = this.#deps
    await mails.add(trx, mail, { userId, slot: null, expiresAt: new Date(now() + VALID_MS) })
  }

  /** Sends queued mails now instead of at the next poll. Call it after the commit. */
  wake(): void {
    this.#deps.mails.wake()
  }
}
