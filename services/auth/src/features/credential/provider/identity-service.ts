import type { Kysely } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import { type Caller, lockCaller } from '../../session/caller.ts'
import * as identityRepository from '../../user/identity-repository.ts'
import { hasEmailIdentity } from '../../user/present-identities.ts'
import { requireConfirmedAddress } from '../../user/require-address.ts'
import * as passkeyRepository from '../passkey/passkey-repository.ts'
import type { FlowStart, ProviderFlows } from './provider-flows.ts'
import type { ProviderSettings } from './provider-settings.ts'

interface IdentityDeps {
  db: Kysely<Database>
  flows: ProviderFlows
  notices: SecurityNotices
  providers: readonly ProviderSettings[]
}

/** The identities of a signed-in user. */
export class IdentityService {
  readonly #deps: IdentityDeps

  constructor(deps: IdentityDeps) {
    this.#deps = deps
  }

  /** Errors: `linking_disabled` on a station without providers. */
  requireLinking(): void {
    if (this.#deps.providers.length === 0) throw linkingDisabled()
  }

  /**
   * Begins to link an identity. Returns the authorization URL for the browser. Errors:
   * `email_not_confirmed`, `invalid_input`, `provider_unavailable`.
   */
  async beginLink(caller: Caller, start: Omit<FlowStart, 'session'>): Promise<URL> {
    requireConfirmedAddress(caller.user)
    const { sessionId: id, generation } = caller
    return this.#deps.flows.begin({ ...start, session: { id, generation } })
  }

  /**
   * Unlinks an identity and notifies the owner by mail. Sessions that it started continue. Errors:
   * `identity_not_found`, `linking_disabled`, `last_identity`.
   */
  async unlink(caller: Caller, id: string): Promise<void> {
    const { db, notices, providers } = this.#deps
    const userId = caller.user.id
    await db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      const identities = await identityRepository.listOf(trx, userId)
      const removed = identities.find((row) => row.id === id)
      if (removed === undefined) {
        // Identities of a former provider can be unlinked on a station without any.
        this.requireLinking()
        throw new AccountError('identity_not_found', "Identity doesn't exist")
      }
      // Identities of providers that the station no longer offers cannot sign in.
      const isUsable = identities.some(
        ({ issuer, id: otherId }) => otherId !== id && providers.some((one) => one.issuer === issuer),
      )
      const signsInOtherwise =
        isUsable ||
        hasEmailIdentity(user, identities) ||
        (await passkeyRepository.listOf(trx, userId)).length > 0
      if (!signsInOtherwise) {
        throw new AccountError(
          'last_identity',
          'This is your only way to sign in. Set a password or add a passkey first.',
        )
      }
      await identityRepository.remove(trx, id)
      const name = providers.find((one) => one.id === removed.provider)?.name ?? removed.provider
      await notices.identityUnlinked(trx, user, name)
    })
    notices.wake()
  }
}

const linkingDisabled = (): AccountError => new AccountError('linking_disabled', 'Manual linking is disabled')
