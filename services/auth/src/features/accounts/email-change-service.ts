import type { Kysely, Transaction } from 'kysely'
import type { AuthDatabase, Slot } from '../../db/schema.ts'
import { withFloor } from '../../protocol/with-floor.ts'
import { codeRepository } from '../codes/code-repository.ts'
import type { CodeSender, LinkWishes } from '../codes/code-sender.ts'
import { emailExists } from '../codes/verification-service.ts'
import { ANSWER_FLOOR_MS } from './account-service.ts'
import { type UserRow, userRepository } from './user-repository.ts'

const SLOTS = ['email_change_current', 'email_change_new'] as const satisfies readonly Slot[]

interface EmailChangeDeps {
  db: Kysely<AuthDatabase>
  codes: CodeSender
  now: () => number
}

/** A change of address: both addresses get a mail and both must agree (docs/protocols/auth.md §2.6). */
export class EmailChangeService {
  readonly #deps: EmailChangeDeps

  constructor(deps: EmailChangeDeps) {
    this.#deps = deps
  }

  /** Asks both addresses, in the caller's transaction. Errors: `email_exists`, `over_email_send_rate_limit`. */
  async start(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    newEmail: string,
    wishes: LinkWishes,
  ): Promise<void> {
    if ((await userRepository.byEmail(trx, newEmail)) !== undefined) throw emailExists()
    await this.#deps.codes.claim(trx, user.email, 'email_change')
    await this.#send(trx, { ...user, newEmail, emailChangeAgreed: null }, wishes)
  }

  /**
   * Asks once more whoever has not agreed yet. Answers alike whether `email` is the present address of somebody
   * who is changing it or not.
   */
  async resend(email: string, wishes: LinkWishes): Promise<void> {
    const { db, codes } = this.#deps
    await withFloor(ANSWER_FLOOR_MS, () =>
      db.transaction().execute(async (trx) => {
        await codes.claim(trx, email, 'email_change')
        const user = await userRepository.lockByEmail(trx, email)
        if (user !== undefined) await this.#send(trx, user, wishes)
      }),
    )
    codes.wake()
  }

  /** Calls the change off; nothing happens when there is none. */
  async cancel(userId: string): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined || user.newEmail === null) return
      await codeRepository.clearSlots(trx, userId, SLOTS)
      await userRepository.update(trx, userId, {
        newEmail: null,
        emailChangeSentAt: null,
        emailChangeAgreed: null,
      })
    })
  }

  async #send(trx: Transaction<AuthDatabase>, user: UserRow, wishes: LinkWishes): Promise<void> {
    const { newEmail, emailChangeAgreed } = user
    if (newEmail === null) return
    const { codes, now } = this.#deps
    const mail = { userId: user.id, kind: 'email_change', newEmail, wishes } as const
    if (emailChangeAgreed !== 'current') {
      await codes.send(trx, { ...mail, slot: 'email_change_current', email: user.email })
    }
    if (emailChangeAgreed !== 'new') {
      await codes.send(trx, { ...mail, slot: 'email_change_new', email: newEmail })
    }
    await userRepository.update(trx, user.id, {
      newEmail,
      emailChangeSentAt: new Date(now()),
      emailChangeAgreed,
    })
  }
}
