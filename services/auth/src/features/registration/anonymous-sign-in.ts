import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import type { Kysely } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { Database } from '../../db/schema.ts'
import type { SessionService } from '../session/session-service.ts'
import type { Client } from '../session/sign-in-history.ts'
import type { Registration } from './registration.ts'

interface AnonymousDeps {
  db: Kysely<Database>
  sessions: SessionService
  registration: Registration
  anonymousSignIn: boolean
  signUp: SignUpPolicy
  now: () => number
}

/** Sign-ins without an account (docs/decisions/0062). */
export class AnonymousSignIn {
  readonly #deps: AnonymousDeps

  constructor(deps: AnonymousDeps) {
    this.#deps = deps
  }

  /** Errors: `anonymous_disabled`, `sign_up_disabled` where sign-up is not open. */
  requireOffered(): void {
    if (!this.#deps.anonymousSignIn) {
      throw new AccountError('anonymous_disabled', 'Anonymous sign-ins are disabled')
    }
    if (this.#deps.signUp !== 'open') throw AccountError.signUpDisabled()
  }

  /** Creates a user without an email and starts a session, the only one the user will have. */
  async signIn(userMetadata: Record<string, unknown>, client: Client): Promise<Record<string, unknown>> {
    const { db, sessions, registration, now } = this.#deps
    const started = await db.transaction().execute(async (trx) => {
      const account = {
        email: null,
        passwordHash: null,
        userMetadata,
        confirmed: false,
        now: new Date(now()),
      }
      const user = await registration.create(trx, account, client.cause)
      // Only an email can be registered already.
      if (user === undefined) throw new Error('an anonymous user was not stored')
      return sessions.begin(trx, user.id, 'anonymous', client)
    })
    return sessions.present(started)
  }
}
