import type { Transaction } from 'kysely'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthDatabase } from '../../db/schema.ts'
import type { UserRow } from '../accounts/user-repository.ts'
import { claimSlot } from '../codes/mail-quota.ts'
import type { MailQueue } from './mail-queue.ts'
import { writeSessionEnded } from './templates.ts'

const VALID_MS = 86_400_000

interface NoticeDeps {
  vault: Vault
  mails: MailQueue
  brandName: string
  siteUrl: string
  now: () => number
}

/** Mails that tell people what happened to their account. They carry no link and no code. */
export class SecurityNotices {
  readonly #deps: NoticeDeps

  constructor(deps: NoticeDeps) {
    this.#deps = deps
  }

  /** Queues the notice that a session ended because of a reused refresh token, in the caller's transaction. */
  async sessionEnded(trx: Transaction<AuthDatabase>, user: UserRow): Promise<void> {
    const { vault, mails, brandName, siteUrl, now } = this.#deps
    const at = new Date(now())
    const digest = vault.digest('mail-address', user.email)
    // The day's quota is for mails that anybody can request; it must not hold back a warning.
    const request = { addressDigest: digest, slot: 'session_ended', nowMs: at.getTime(), factor: 1 }
    if ((await claimSlot(trx, request)) > 0) return
    const mail = writeSessionEnded({ to: user.email, brand: brandName, site: siteUrl, at })
    const expiresAt = new Date(at.getTime() + VALID_MS)
    await mails.add(trx, mail, { userId: user.id, slot: null, expiresAt })
  }

  /** Call after the commit: the mail leaves at once instead of with the next look at the queue. */
  wake(): void {
    this.#deps.mails.wake()
  }
}
