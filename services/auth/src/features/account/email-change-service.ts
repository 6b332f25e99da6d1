import type { Kysely, Transaction } from 'kysely'
import type { Database, Slot } from '../../db/schema.ts'
import * as codeRepository from '../credential/code/code-repository.ts'
import type { CodeSender, LinkOptions, Recipient } from '../credential/code/code-sender.ts'
import type { MailRequester } from '../limits/mail-guard.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { MIN_RESPONSE_MS } from './account-service.ts'
import type { AccountMailRequest } from './mail-service.ts'
import { emailExists } from './verification-service.ts'
import { withMinDuration } from './with-min-duration.ts'

/** The slots of both sides of a change. */
export const EMAIL_CHANGE_SLOTS = [
  'email_change_current',
  'email_change_new',
] as const satisfies readonly Slot[]

interface EmailChangeDeps {
  db: Kysely<Database>
  codes: CodeSender
  now: () => number
}

/** An email that a signed-in user wants to have. */
interface NewEmail {
  newEmail: string
  linkOptions: LinkOptions
  requester: MailRequester
}

/** The other mailbox of a change: its owner may be a stranger to the requester, who has no budget of their own there. */
const newMailbox = (email: string, requester: MailRequester): Recipient => ({
  email,
  slot: 'email_change_new',
  requester: { ...requester, ownBudget: undefined },
})

/**
 * Email changes: both mailboxes get a mail and both must confirm; an anonymous user has only the new one
 * (docs/protocols/auth.md, "PUT /user").
 */
export class EmailChangeService {
  readonly #deps: EmailChangeDeps

  constructor(deps: EmailChangeDeps) {
    this.#deps = deps
  }

  /** Starts the user's own change in the caller's transaction. Errors: `email_taken`, `too_many_mails`. */
  async start(
    trx: Transaction<Database>,
    user: UserRow,
    { newEmail, linkOptions, requester }: NewEmail,
  ): Promise<void> {
    if ((await userRepository.byEmail(trx, newEmail)) !== undefined) throw emailExists()
    const { codes } = this.#deps
    if (user.email !== null) {
      await codes.claim(trx, { email: user.email, slot: 'email_change_current', requester })
    }
    await codes.claim(trx, newMailbox(newEmail, requester))
    // A confirmation counts only for the email that it was mailed for.
    if (user.newEmail !== newEmail) await codeRepository.clearSlots(trx, user.id, EMAIL_CHANGE_SLOTS)
    // An anonymous user has no mailbox that could refuse: the new one decides.
    const emailChangeAgreed = user.email === null ? 'current' : null
    await this.#send(trx, { ...user, newEmail, emailChangeAgreed }, { linkOptions, requester })
  }

  /**
   * Sends the mails again to the sides that have not confirmed yet. The response is the same whether `email` is the
   * current email of a user with a pending change or not. If the new mailbox has had too many mails, none is sent.
   */
  async resend({ email, linkOptions, requester }: AccountMailRequest): Promise<void> {
    const { db, codes } = this.#deps
    await withMinDuration(MIN_RESPONSE_MS, () =>
      db.transaction().execute(async (trx) => {
        await codes.claim(trx, { email, slot: 'email_change_current', requester })
        const user = await userRepository.lockByEmail(trx, email)
        if (user === undefined || user.newEmail === null) return
        const newSide = newMailbox(user.newEmail, requester)
        const isNewSideDone = user.emailChangeAgreed === 'new'
        if (!isNewSideDone && (await codes.tryClaim(trx, newSide)) !== undefined) return
        await this.#send(trx, user, { linkOptions, requester })
      }),
    )
    codes.wake()
  }

  /** Cancels a pending change and invalidates its links. Does nothing when none is pending. */
  async cancel(userId: string): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined || user.newEmail === null) return
      await codeRepository.clearSlots(trx, userId, EMAIL_CHANGE_SLOTS)
      await userRepository.update(trx, userId, {
        newEmail: null,
        emailChangeSentAt: null,
        emailChangeAgreed: null,
      })
    })
  }

  async #send(
    trx: Transaction<Database>,
    user: UserRow,
    { linkOptions, requester }: Omit<NewEmail, 'newEmail'>,
  ): Promise<void> {
    const { newEmail, emailChangeAgreed } = user
    if (newEmail === null) return
    const { codes, now } = this.#deps
    const isTrusted = requester.ownBudget !== undefined
    const mail = { userId: user.id, kind: 'email_change', isTrusted, linkOptions } as const
    if (emailChangeAgreed !== 'current' && user.email !== null) {
      await codes.send(trx, { ...mail, slot: 'email_change_current', email: user.email, newEmail })
    }
    if (emailChangeAgreed !== 'new') {
      const announced = user.email === null ? {} : { newEmail }
      await codes.send(trx, { ...mail, ...announced, slot: 'email_change_new', email: newEmail })
    }
    await userRepository.update(trx, user.id, {
      newEmail,
      emailChangeSentAt: new Date(now()),
      emailChangeAgreed,
    })
  }
}
