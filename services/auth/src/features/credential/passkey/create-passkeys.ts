import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Vault } from '../../../crypto/vault.ts'
import type { SessionService } from '../../session/session-service.ts'
import type { SignInHistory } from '../../session/sign-in-history.ts'
import { Challenges } from './challenges.ts'
import { type CeremonyDeps, PasskeyRegistration } from './passkey-registration.ts'
import { PasskeyService } from './passkey-service.ts'
import { PasskeySignIn } from './passkey-sign-in.ts'

interface PasskeyDeps extends Omit<CeremonyDeps, 'challenges'> {
  vault: Vault
  sessions: SessionService
  signIns: SignInHistory
  logger: Logger
}

/** Creates the services for passkeys, and the challenges that security keys use too. */
export function createPasskeys({ vault, sessions, signIns, logger, ...deps }: PasskeyDeps) {
  const challenges = new Challenges(vault, deps.now)
  const ceremonyDeps = { ...deps, challenges }
  return {
    challenges,
    passkeys: new PasskeyService(deps),
    passkeyRegistration: new PasskeyRegistration(ceremonyDeps),
    passkeySignIn: new PasskeySignIn({ ...ceremonyDeps, sessions, signIns, logger }),
  }
}
