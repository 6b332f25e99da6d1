import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import type { App } from '@looptide/service-kit/http/app'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { AccountService } from '../../features/accounts/account-service.ts'
import type { AnonymousSignIn } from '../../features/accounts/anonymous-sign-in.ts'
import type { EmailChangeService } from '../../features/accounts/email-change-service.ts'
import type { MailService } from '../../features/accounts/mail-service.ts'
import type { ReauthenticationService } from '../../features/accounts/reauthentication-service.ts'
import type { UpdateService } from '../../features/accounts/update-service.ts'
import type { VerificationService } from '../../features/accounts/verification-service.ts'
import type { RedirectPolicy } from '../../features/codes/redirect-policy.ts'
import type { FactorService } from '../../features/factors/factor-service.ts'
import type { FactorVerification } from '../../features/factors/factor-verification.ts'
import type { RecoveryCodeService } from '../../features/factors/recovery-code-service.ts'
import type { IdentityService } from '../../features/identities/identity-service.ts'
import type { ProviderFlows } from '../../features/identities/provider-flows.ts'
import type { ProviderSettings } from '../../features/identities/provider-settings.ts'
import type { ProviderSignIn } from '../../features/identities/provider-sign-in.ts'
import type { AccessTokens } from '../../features/keys/access-tokens.ts'
import type { SigningKeys } from '../../features/keys/signing-keys.ts'
import type { PasskeyRegistration } from '../../features/passkeys/passkey-registration.ts'
import type { PasskeyService } from '../../features/passkeys/passkey-service.ts'
import type { PasskeySignIn } from '../../features/passkeys/passkey-sign-in.ts'
import type { SessionService } from '../../features/sessions/session-service.ts'
import type { AccountNetworks } from '../../limits/account-networks.ts'
import type { MailGuard } from '../../limits/mail-guard.ts'
import type { ProofOfWork } from '../../limits/proof-of-work.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import type { SignInGuard } from '../../limits/sign-in-guard.ts'
import type { SignUpGuard } from '../../limits/sign-up-guard.ts'
import type { AdminRoutesDeps } from '../admin/admin-routes-deps.ts'
import { addAdminRoutes } from '../admin/index.ts'
import { useAuthProtocol } from '../auth-protocol.ts'
import { requireCaller } from '../bearer.ts'
import { challengeFactor } from './factors/challenge-factor.ts'
import { createRecoveryCodes } from './factors/create-recovery-codes.ts'
import { deleteRecoveryCodes } from './factors/delete-recovery-codes.ts'
import { enrollFactor } from './factors/enroll-factor.ts'
import { readRecoveryCodes } from './factors/read-recovery-codes.ts'
import { replaceRecoveryCodes } from './factors/replace-recovery-codes.ts'
import { unenrollFactor } from './factors/unenroll-factor.ts'
import { verifyFactor } from './factors/verify-factor.ts'
import { verifyRecoveryCode } from './factors/verify-recovery-code.ts'
import { followLink } from './follow-link.ts'
import { getHealth } from './get-health.ts'
import { getKeys } from './get-keys.ts'
import { getSettings } from './get-settings.ts'
import { getUser } from './get-user.ts'
import { authorize } from './identities/authorize.ts'
import { linkIdentity } from './identities/link-identity.ts'
import { returnFromProvider } from './identities/return-from-provider.ts'
import { unlinkIdentity } from './identities/unlink-identity.ts'
import { issueToken } from './issue-token.ts'
import { logOut } from './log-out.ts'
import { deletePasskey } from './passkeys/delete-passkey.ts'
import { listPasskeys } from './passkeys/list-passkeys.ts'
import { registerPasskey } from './passkeys/register-passkey.ts'
import { renamePasskey } from './passkeys/rename-passkey.ts'
import { signInWithPasskey } from './passkeys/sign-in-with-passkey.ts'
import { reauthenticate } from './reauthenticate.ts'
import { recover } from './recover.ts'
import { resend } from './resend.ts'
import { sendMagicLink } from './send-magic-link.ts'
import { signUp } from './sign-up.ts'
import { updateUser } from './update-user.ts'
import { verifyCode } from './verify-code.ts'

export interface AuthRoutesDeps extends AdminRoutesDeps {
  db: Kysely<Database>
  accounts: AccountService
  anonymous: AnonymousSignIn
  mails: MailService
  updates: UpdateService
  emailChanges: EmailChangeService
  reauthentication: ReauthenticationService
  sessions: SessionService
  factors: FactorService
  factorVerification: FactorVerification
  recoveryCodes: RecoveryCodeService
  verifications: VerificationService
  providerFlows: ProviderFlows
  providerSignIn: ProviderSignIn
  identities: IdentityService
  oidcProviders: readonly ProviderSettings[]
  passkeys: PasskeyService
  passkeyRegistration: PasskeyRegistration
  passkeySignIn: PasskeySignIn
  keys: SigningKeys
  tokens: AccessTokens
  redirects: RedirectPolicy
  limits: RateLimits
  networks: AccountNetworks
  proofs: ProofOfWork
  mailGuard: MailGuard
  signInGuard: SignInGuard
  signUpGuard: SignUpGuard
  mailConfirmation: boolean
  /** Whether the station's address permits passkeys. */
  hasPasskeys: boolean
  signUp: SignUpPolicy
  anonymousSignIn: boolean
  brandName: string
  reportRefusal: (request: FastifyRequest) => void
  now: () => number
}

/** Prefix of the auth protocol. service-kit does not verify bearer tokens below it. */
export const AUTH_PREFIX = '/auth/v1'

const ROUTES: readonly FastifyPluginAsyncTypebox<AuthRoutesDeps>[] = [
  signUp,
  issueToken,
  sendMagicLink,
  verifyCode,
  followLink,
  recover,
  resend,
  getUser,
  updateUser,
  reauthenticate,
  logOut,
  signInWithPasskey,
  registerPasskey,
  listPasskeys,
  renamePasskey,
  deletePasskey,
  authorize,
  returnFromProvider,
  linkIdentity,
  unlinkIdentity,
  enrollFactor,
  challengeFactor,
  verifyFactor,
  unenrollFactor,
  readRecoveryCodes,
  createRecoveryCodes,
  replaceRecoveryCodes,
  verifyRecoveryCode,
  deleteRecoveryCodes,
  getKeys,
  getSettings,
  getHealth,
]

/** Registers all routes of `/auth/v1` in a scope with the protocol's conventions. */
export async function addAuthRoutes(app: App, deps: AuthRoutesDeps): Promise<void> {
  await app.register(
    async (scope) => {
      useAuthProtocol(scope as App)
      scope.decorateRequest('caller', null)
      scope.addHook('onRequest', requireCaller(deps))
      for (const route of ROUTES) await scope.register(route, deps)
      await scope.register(addAdminRoutes, deps)
    },
    { prefix: AUTH_PREFIX },
  )
}
