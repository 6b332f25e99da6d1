import type { Role } from '@looptide/contracts/common'
import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { AppError } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import type { Registration } from '../../registration/registration.ts'
import { isOutdated } from '../../session/caller.ts'
import type { SessionRow } from '../../session/session-repository.ts'
import * as sessionRepository from '../../session/session-repository.ts'
import type { SessionService } from '../../session/session-service.ts'
import type { Client } from '../../session/sign-in-history.ts'
import { readEmail } from '../../user/email.ts'
import type { IdentityRow } from '../../user/identity-repository.ts'
import * as identityRepository from '../../user/identity-repository.ts'
import type { UserRow } from '../../user/user-repository.ts'
import * as userRepository from '../../user/user-repository.ts'
import { flowNotFound, requireExchangeable } from '../code/pkce-exchange.ts'
import type { FlowRow } from './flow-repository.ts'
import * as flowRepository from './flow-repository.ts'
import type { ProvedIdentity } from './provider-client.ts'
import type { ProviderFlows } from './provider-flows.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Assigns the role that a provider reports. */
interface RoleSetter {
  setIn(trx: Transaction<Database>, user: UserRow, role: Role, by: string | null, cause: Cause): Promise<void>
}

interface SignInDeps {
  db: Kysely<Database>
  flows: ProviderFlows
  sessions: SessionService
  registration: Registration
  roles: RoleSetter
  notices: SecurityNotices
  signUp: SignUpPolicy
  now: () => number
}

interface Proved {
  row: FlowRow
  identity: ProvedIdentity
  provider: ProviderSettings
}

interface Started {
  session: SessionRow
  user: UserRow
}

/** Ends a flow: an identity that a provider proved signs in, creates an account, or is linked to one. */
export class ProviderSignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /**
   * Exchanges a code and its verifier for a session. `admitSignUp` is called before an account is created. Errors:
   * `pkce_code_not_found`, `pkce_code_expired`, `pkce_verifier_wrong`, `banned`, `identity_taken`, and those of
   * {@link ProviderSignIn.#create}.
   */
  async exchange(
    code: string,
    verifier: string,
    client: Client,
    admitSignUp: () => Promise<void>,
  ): Promise<Record<string, unknown>> {
    const { db, flows, sessions, notices, now } = this.#deps
    const row = requireExchangeable(await flows.find(code), verifier, now())
    const provider = flows.provider(row.provider).settings
    const proved = { row, identity: flows.identityOf(row, code), provider }
    const known = await identityRepository.bySubject(db, proved.identity.issuer, proved.identity.subject)
    if (known === undefined && row.sessionId === null) await admitSignUp()
    const started = await db.transaction().execute(async (trx): Promise<Started> => {
      if ((await flowRepository.take(trx, row.digest, 'exchange')) === undefined) throw flowNotFound()
      if (row.sessionId !== null) return this.#link(trx, row.sessionId, proved)
      return known === undefined
        ? this.#create(trx, proved, client)
        : this.#signIn(trx, known.id, known.userId, proved, client)
    })
    notices.wake()
    return sessions.present(started)
  }

  async #signIn(
    trx: Transaction<Database>,
    identityId: string,
    userId: string,
    { identity, provider }: Proved,
    client: Client,
  ): Promise<Started> {
    const { sessions, now } = this.#deps
    const at = new Date(now())
    const user = await userRepository.lockById(trx, userId)
    // Unlinked, or deleted with its account, since it was found.
    if (user === undefined || !(await isStillLinked(trx, userId, identityId))) throw flowNotFound()
    if (await userRepository.isBanned(trx, userId, at)) throw AccountError.banned()
    if (user.emailConfirmedAt === null) throw new AccountError('email_not_confirmed', 'Email not confirmed')
    await identityRepository.recordUse(trx, identityId, { email: identity.email, lastSignInAt: at })
    await this.#setRole(trx, user, identity, provider, client)
    return sessions.begin(trx, userId, 'oauth', client)
  }

  /**
   * Creates an account for an identity. Errors: `sign_up_disabled`, `provider_email_unverified`, `email_taken`, `banned`
   * because of an earlier account.
   */
  async #create(trx: Transaction<Database>, proved: Proved, client: Client): Promise<Started> {
    const { registration, sessions, signUp, now } = this.#deps
    const { identity, provider } = proved
    if (signUp !== 'open') throw AccountError.signUpDisabled()
    const at = new Date(now())
    const email = verifiedEmailOf(proved)
    const userMetadata = identity.name === null ? {} : { full_name: identity.name }
    const account = { email, passwordHash: null, userMetadata, confirmed: true, now: at }
    const user = await registration.create(trx, account, client.cause)
    // Not linked: providers differ in how they confirm email addresses, and assign former ones to other people.
    if (user === undefined) {
      throw new AccountError(
        'email_taken',
        `An account with your email address already exists. Sign in to it and link ${provider.name} in your profile.`,
      )
    }
    if (await userRepository.isBanned(trx, user.id, at)) throw AccountError.banned()
    await this.#insert(trx, user.id, proved, at)
    await this.#setRole(trx, user, identity, provider, client)
    return sessions.begin(trx, user.id, 'oauth', client)
  }

  /** Links an identity to the account of the session that began. The session continues. */
  async #link(trx: Transaction<Database>, sessionId: string, proved: Proved): Promise<Started> {
    const { notices, now } = this.#deps
    const at = new Date(now())
    const begun = await sessionRepository.byId(trx, sessionId)
    const user = begun && (await userRepository.lockById(trx, begun.userId))
    // Read under the lock: the session ended in the meantime, or the token that began to link has become outdated.
    const session = user && (await sessionRepository.find(trx, sessionId, user.id))
    if (user === undefined || session === undefined) throw flowNotFound()
    if (isOutdated(proved.row.generation ?? 0, session)) throw flowNotFound()
    if (await userRepository.isBanned(trx, user.id, at)) throw AccountError.banned()
    await this.#insert(trx, user.id, proved, at)
    await notices.identityLinked(trx, user, proved.provider.name)
    return { session, user }
  }

  async #insert(
    trx: Transaction<Database>,
    userId: string,
    { identity, provider }: Proved,
    at: Date,
  ): Promise<IdentityRow> {
    const row = await identityRepository.insert(trx, {
      id: newId(at.getTime()),
      userId,
      provider: provider.id,
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
      createdAt: at,
      lastSignInAt: null,
    })
    if (row !== undefined) return row
    throw new AccountError(
      'identity_taken',
      `This account at ${provider.name} is already linked, or you have already linked another one.`,
    )
  }

  /** Gives the role that the provider decides. The last admin keeps the role: the station must not be without one. */
  async #setRole(
    trx: Transaction<Database>,
    user: UserRow,
    { role }: ProvedIdentity,
    provider: ProviderSettings,
    { cause }: Client,
  ): Promise<void> {
    if (role === null) return
    try {
      await this.#deps.roles.setIn(trx, user, role, null, { ...cause, by: `provider ${provider.id}` })
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
    }
  }
}

/** The verified email of an identity. Errors: `provider_email_unverified` when the provider has not verified one. */
function verifiedEmailOf({ identity, provider }: Proved): string {
  if (identity.email !== null && identity.isEmailVerified) return readEmail(identity.email)
  throw new AccountError(
    'provider_email_unverified',
    `${provider.name} has not confirmed your email address. Confirm it there, or sign in another way and link ${provider.name} in your profile.`,
  )
}

const isStillLinked = async (trx: Transaction<Database>, userId: string, id: string): Promise<boolean> =>
  (await identityRepository.listOf(trx, userId)).some((row) => row.id === id)
