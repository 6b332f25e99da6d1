import type { Transaction } from 'kysely'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import type { UserRow } from '../users/user-repository.ts'
import type { MailQueue } from './mail-queue.ts'
import { claimSlot } from './mail-quota.ts'
import { type AccountNotice, writeAccountNotice } from './notice-texts.ts'
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
    const { vault, brandName, siteUrl, now } = this.#deps
    const at = new Date(now())
    const digest = vault.digest('mail-address', user.email)
    // The quota of the day limits mails that anyone can request. A warning must not be limited by it.
    const request = { addressDigest: digest, slot: 'session_ended', nowMs: at.getTime(), factor: 1 }
    if ((await claimSlot(trx, request)) > 0) return
    await this.#queue(
      trx,
      user,
      writeSessionEnded({ to: user.email, brand: brandName, site: siteUrl, at }),
      at,
    )
  }

  /** Queues the notice of a change of the user's second factors, in the caller's transaction. */
  async factorsChanged(trx: Transaction<Database>, user: UserRow, notice: AccountNotice): Promise<void> {
    const { brandName, siteUrl, now } = this.#deps
    const at = new Date(now())
    const mail = writeAccountNotice(notice, { to: user.email, brand: brandName, site: siteUrl, at })
    await this.#queue(trx, user, mail, at)
  }

  async #queue(trx: Transaction<Database>, user: UserRow, mail: Mail, at: Date): Promise<void> {
    const expiresAt = new Date(at.getTime() + VALID_MS)
    await this.#deps.mails.add(trx, mail, { userId: user.id, slot: null, expiresAt })
  }

  /** Sends queued mails now instead of at the next poll. Call it after the commit. */
  wake(): void {
    this.#deps.mails.wake()
  }
}
