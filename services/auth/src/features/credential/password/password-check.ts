import type { PasswordHasher } from '../../../crypto/password-hasher.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import type { SignInGuard } from '../../limits/sign-in-guard.ts'
import type { Client, SignInHistory } from '../../session/sign-in-history.ts'
import { requireAddress } from '../../user/require-address.ts'
import type { UserRow } from '../../user/user-repository.ts'

interface PasswordCheckDeps {
  hasher: PasswordHasher
  signInGuard: SignInGuard
  limits: RateLimits
  signIns: SignInHistory
}

/**
 * Checks the password of a signed-in user. A wrong one counts like a refused sign-in, because somebody who has stolen the
 * session could guess here: it has the same limits, and the owner sees it in the sign-in history.
 */
export class PasswordCheck {
  readonly #deps: PasswordCheckDeps

  constructor(deps: PasswordCheckDeps) {
    this.#deps = deps
  }

  /** `proof`: see {@link SignInGuard.admit}, whose errors this throws. False for an account without a password. */
  async matches(
    user: UserRow,
    password: string,
    { client, proof }: { client: Client; proof?: string | undefined },
  ): Promise<boolean> {
    const { hasher, signInGuard, limits, signIns } = this.#deps
    if (user.passwordHash === null) return false
    const attempts = await signInGuard.admit({ email: requireAddress(user), ip: client.ip ?? '', proof })
    if (await hasher.verify(user.passwordHash, password)) {
      await limits.refund(...attempts)
      return true
    }
    await signIns.failed([user.id], 'password', client)
    return false
  }
}
