import { AVATAR_MAX_SIDE } from '@looptide/contracts/http/users'
import { MalwareScanner } from '@looptide/service-kit/pictures/malware-scanner'
import { PictureUploads } from '@looptide/service-kit/pictures/picture-uploads'
import type { ServiceDeps } from '@looptide/service-kit/process/database-service'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { createAuthMetrics } from './auth-metrics.ts'
import type { AuthConfig } from './config.ts'
import type { PasswordHasher } from './crypto/password-hasher.ts'
import type { Vault } from './crypto/vault.ts'
import type { Database } from './db/schema.ts'
import { AccountService } from './features/account/account-service.ts'
import { EmailChangeService } from './features/account/email-change-service.ts'
import { MailService } from './features/account/mail-service.ts'
import { UpdateService } from './features/account/update-service.ts'
import { UserService } from './features/account/user-service.ts'
import { VerificationService } from './features/account/verification-service.ts'
import { createMailComponents } from './features/credential/code/create-mail-components.ts'
import { ReauthenticationService } from './features/credential/code/reauthentication-service.ts'
import { RedirectPolicy } from './features/credential/code/redirect-policy.ts'
import { DeviceAuthorization } from './features/credential/device/device-authorization.ts'
import { FactorService } from './features/credential/factor/factor-service.ts'
import { FactorVerification } from './features/credential/factor/factor-verification.ts'
import { RecoveryCodeService } from './features/credential/factor/recovery-code-service.ts'
import { SecurityKeys } from './features/credential/factor/security-keys.ts'
import { Challenges } from './features/credential/passkey/challenges.ts'
import { type CeremonyDeps, PasskeyRegistration } from './features/credential/passkey/passkey-registration.ts'
import { PasskeyService } from './features/credential/passkey/passkey-service.ts'
import { PasskeySignIn } from './features/credential/passkey/passkey-sign-in.ts'
import { BreachedPasswords } from './features/credential/password/breached-passwords.ts'
import { PasswordCheck } from './features/credential/password/password-check.ts'
import { IdentityService } from './features/credential/provider/identity-service.ts'
import { ProviderClient } from './features/credential/provider/provider-client.ts'
import { ProviderFlows } from './features/credential/provider/provider-flows.ts'
import type { ProviderSettings } from './features/credential/provider/provider-settings.ts'
import { ProviderSignIn } from './features/credential/provider/provider-sign-in.ts'
import { PersonalTokenService } from './features/credential/token/personal-token-service.ts'
import type { AccessTokens } from './features/keys/access-tokens.ts'
import { createLimits } from './features/limits/create-limits.ts'
import { NamePolicy } from './features/names/name-policy.ts'
import { AdministrationService } from './features/operator/administration-service.ts'
import { LinkService } from './features/operator/link-service.ts'
import { ManagedPasskeys } from './features/operator/managed-passkeys.ts'
import { AvatarService } from './features/profile/avatar-service.ts'
import { NameRules } from './features/profile/name-rules.ts'
import { AnonymousSignIn } from './features/registration/anonymous-sign-in.ts'
import { KeptRestrictions } from './features/registration/kept-restrictions.ts'
import { Registration } from './features/registration/registration.ts'
import { RefreshService } from './features/session/refresh-service.ts'
import { SessionService } from './features/session/session-service.ts'
import { SignInHistory } from './features/session/sign-in-history.ts'
import { RestrictionService } from './features/staff/restriction-service.ts'
import { RoleService } from './features/staff/role-service.ts'
import { SessionAdministration } from './features/staff/session-administration.ts'
import { Housekeeping } from './housekeeping.ts'

interface AuthDeps extends Pick<ServiceDeps<Database>, 'db' | 'logger' | 'metrics' | 'now'> {
  vault: Vault
  tokens: AccessTokens
  hasher: PasswordHasher
}

/** Creates the services that the routes use, and the background work of the process. */
export function createServices(config: AuthConfig, deps: AuthDeps) {
  const { db, logger, metrics, now, vault, tokens, hasher } = deps
  const { mailConfirmation, signUp, refreshReuseIntervalS, sessionsPerUser } = config
  const authMetrics = createAuthMetrics(metrics.registry)
  const redirects = new RedirectPolicy(config.siteUrl, config.redirectAllowList)
  const base = { db, vault, logger, now }
  const mail = createMailComponents(config, { ...base, redirects, metrics: authMetrics })
  const { codes, notices } = mail
  const breached = new BreachedPasswords({ ...base, url: config.breachedPasswordsUrl, metrics: authMetrics })
  const signIns = new SignInHistory({ ...base, notices })
  const signingIn = { ...base, signIns, notices }
  const sessions = new SessionService({ ...signingIn, tokens, sessionsPerUser })
  const limits = createLimits(config, { ...base, metrics: authMetrics })
  const passwordCheck = new PasswordCheck({ ...limits, hasher, signIns })
  const names = new NamePolicy(config.brandNames)
  const keptRestrictions = new KeptRestrictions(vault)
  const registration = new Registration({ names, keptRestrictions })
  const mailed = { db, registration, codes, mailConfirmation, signUp, now }
  const changes = {
    emailChanges: new EmailChangeService({ db, codes, now }),
    reauthentication: new ReauthenticationService({ ...config, ...base, ...limits, codes }),
  }
  const roles = new RoleService(db, notices, now)
  const restrictions = new RestrictionService({ db, sessions, keptRestrictions, now })
  const party = config.passkeyParty
  const { challenges, ...passkeys } = createPasskeys({ ...signingIn, sessions, party })
  const managed = { db, vault, hasher, breached, registration, keptRestrictions, now }
  return {
    mailQueue: mail.queue,
    smtp: mail.smtp,
    housekeeping: new Housekeeping({ ...config, ...base, keptRestrictions }),
    ...limits,
    redirects,
    passwordCheck,
    sessions,
    refreshes: new RefreshService({ ...base, sessions, notices, refreshReuseIntervalS }),
    signIns,
    sessionAdministration: new SessionAdministration({ db, sessions, codes, now }),
    keptRestrictions,
    notices,
    ...changes,
    accounts: new AccountService({ ...signingIn, ...mailed, hasher, breached, sessions }),
    anonymous: new AnonymousSignIn({ ...config, db, now, sessions, registration }),
    mails: new MailService(mailed),
    updates: new UpdateService({ ...managed, ...changes, passwordCheck, sessions, notices, codes }),
    verifications: new VerificationService({ ...signingIn, ...managed, ...limits, sessions }),
    ...createProviders({ ...config, ...base, sessions, notices, registration, roles }),
    ...passkeys,
    personalTokens: new PersonalTokenService({ db, tokens, notices, now }),
    users: new UserService({ ...config, db, now, names: new NameRules(names) }),
    roles,
    avatars: new AvatarService(db, createAvatarUploads(config, { db, logger, metrics }), now),
    restrictions,
    administration: new AdministrationService({ ...managed, sessions, notices, roles, restrictions }),
    managedPasskeys: new ManagedPasskeys({ db, notices }),
    links: new LinkService({ ...managed, codes, signUp }),
    devices: new DeviceAuthorization({ ...config, ...base, sessions }),
    ...createFactors({ ...base, sessions, notices, securityKeys: new SecurityKeys({ challenges, party }) }),
  }
}

/** The services of second factors. */
const createFactors = (deps: ConstructorParameters<typeof FactorVerification>[0]) => ({
  factors: new FactorService(deps),
  factorVerification: new FactorVerification(deps),
  recoveryCodes: new RecoveryCodeService(deps),
})

interface PasskeyDeps extends Omit<CeremonyDeps, 'challenges'> {
  vault: Vault
  sessions: SessionService
  signIns: SignInHistory
  logger: Logger
}

/** Creates the services for passkeys, and the challenges that security keys use too. */
function createPasskeys({ vault, sessions, signIns, logger, ...deps }: PasskeyDeps) {
  const challenges = new Challenges(vault, deps.now)
  const ceremonyDeps = { ...deps, challenges }
  return {
    challenges,
    passkeys: new PasskeyService(deps),
    passkeyRegistration: new PasskeyRegistration(ceremonyDeps),
    passkeySignIn: new PasskeySignIn({ ...ceremonyDeps, sessions, signIns, logger }),
  }
}

type FlowsDeps = Omit<ConstructorParameters<typeof ProviderFlows>[0], 'providers'>
type SignInDeps = Omit<ConstructorParameters<typeof ProviderSignIn>[0], 'flows'>

interface ProviderDeps extends FlowsDeps, SignInDeps {
  oidcProviders: readonly ProviderSettings[]
  siteUrl: string
  logger: Logger
}

/** Creates the services for sign-ins at OpenID providers. */
function createProviders({ oidcProviders, siteUrl, logger, ...deps }: ProviderDeps) {
  const redirectUri = new URL('/auth/v1/callback', siteUrl).href
  const clients = oidcProviders.map((settings): [string, ProviderClient] => [
    settings.id,
    new ProviderClient({ settings, redirectUri, logger, now: deps.now }),
  ])
  const flows = new ProviderFlows({ ...deps, providers: new Map(clients) })
  return {
    providerFlows: flows,
    providerSignIn: new ProviderSignIn({ ...deps, flows }),
    identities: new IdentityService({ ...deps, flows, providers: oidcProviders }),
  }
}

/** The uploads of profile pictures, scanned if the settings name a scanner. */
function createAvatarUploads(
  { malwareScanner: address }: Pick<AuthConfig, 'malwareScanner'>,
  { db, logger, metrics }: Pick<ServiceDeps<Database>, 'db' | 'logger' | 'metrics'>,
): PictureUploads<Database> {
  return new PictureUploads({
    db,
    logger,
    scanner: new MalwareScanner({ address, registry: metrics.registry, logger }),
    auditType: 'auth.audit.recorded.v1',
    targetType: 'avatar',
    maxSide: AVATAR_MAX_SIDE,
  })
}
