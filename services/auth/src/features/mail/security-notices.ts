import type { Transaction } from 'kysely'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import type { UserRow } from '../users/user-repository.ts'
import type { MailQueue } from './mail-queue.ts'
import { claimSlot } from './mail-quota.ts'
import { writePasskeyAdded, writePasskeyCopied, writePasskeyRemoved } from './passkey-notices.ts'
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
    await this.#add(trx, user, writeSessionEnded(this.#content(user)))
  }

  /** Queues the notice that a passkey was added. Rate limits of the account limit these and the following. */
  async passkeyAdded(trx: Transaction<Database>, user: UserRow): Promise<void> {
    await this.#add(trx, user, writePasskeyAdded(this.#content(user)))
  }

  /** Queues the notice that the passkey `name` was removed. */
  async passkeyRemoved(trx: Transaction<Database>, user: UserRow, name: string): Promise<void> {
    await this.#add(trx, user, writePasskeyRemoved({ ...this.#content(user), name }))
  }

  /** Queues the notice that a copy of the passkey `name` was refused. */
  async passkeyCopied(trx: Transaction<Database>, user: UserRow, name: string): Promise<void> {
    if (!(await this.#claim(trx, user, 'passkey_copied'))) return
    await this.#add(trx, user, writePasskeyCopied({ ...this.#content(user), name }))
  }

  /** Whether a notice that others can cause may be sent now. */
  async #claim(trx: Transaction<Database>, user: UserRow, slot: string): Promise<boolean> {
    const addressDigest = this.#deps.vault.digest('mail-address', user.email)
    // The quota of the day limits mails that anyone can request. A warning must not be limited by it.
    return (await claimSlot(trx, { addressDigest, slot, nowMs: this.#deps.now(), factor: 1 })) === 0
  }

  #content(user: UserRow): { to: string; brand: string; site: string; at: Date } {
    const { brandName, siteUrl, now } = this.#deps
    return { to: user.email, brand: brandName, site: siteUrl, at: new Date(now()) }
  }

  async #add(trx: Transaction<Database>, user: UserRow, mail: Mail): Promise<void> {
    const { mails, now } = this.#deps
    await mails.add(trx, mail, { userId: user.id, slot: null, expiresAt: new Date(now() + VALID_MS) })
  }

  /** Sends queued mails now instead of at the next poll. Call it after the commit. */
  wake(): void {
    this.#deps.mails.wake()
  }
}
