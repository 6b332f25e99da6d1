import type { ServiceDeps } from '@looptide/service-kit/process/database-service'
import { createAuthMetrics } from './auth-metrics.ts'
import type { AuthConfig } from './config.ts'
import type { PasswordHasher } from './crypto/password-hasher.ts'
import type { Vault } from './crypto/vault.ts'
import type { Database } from './db/schema.ts'
import { AccountService } from './features/accounts/account-service.ts'
import { AnonymousSignIn } from './features/accounts/anonymous-sign-in.ts'
import { BreachedPasswords } from './features/accounts/breached-passwords.ts'
import { EmailChangeService } from './features/accounts/email-change-service.ts'
import { MailService } from './features/accounts/mail-service.ts'
import { PasswordCheck } from './features/accounts/password-check.ts'
import { ReauthenticationService } from './features/accounts/reauthentication-service.ts'
import { Registration } from './features/accounts/registration.ts'
import { UpdateService } from './features/accounts/update-service.ts'
import { VerificationService } from './features/accounts/verification-service.ts'
import { AdministrationService } from './features/administration/administration-service.ts'
import { LinkService } from './features/administration/link-service.ts'
import { ManagedPasskeys } from './features/administration/managed-passkeys.ts'
import { AvatarService } from './features/avatars/avatar-service.ts'
import { createAvatarUploads } from './features/avatars/create-avatar-uploads.ts'
import { createMailComponents } from './features/codes/create-mail-components.ts'
import { RedirectPolicy } from './features/codes/redirect-policy.ts'
import { FactorService } from './features/factors/factor-service.ts'
import { FactorVerification } from './features/factors/factor-verification.ts'
import { RecoveryCodeService } from './features/factors/recovery-code-service.ts'
import { SecurityKeys } from './features/factors/security-keys.ts'
import { createProviders } from './features/identities/create-providers.ts'
import type { AccessTokens } from './features/keys/access-tokens.ts'
import { NamePolicy } from './features/names/name-policy.ts'
import { createPasskeys } from './features/passkeys/create-passkeys.ts'
import { PersonalTokenService } from './features/personal-tokens/personal-token-service.ts'
import { NameRules } from './features/profiles/name-rules.ts'
import { KeptRestrictions } from './features/restrictions/kept-restrictions.ts'
import { RestrictionService } from './features/restrictions/restriction-service.ts'
import { RoleService } from './features/roles/role-service.ts'
import { SessionAdministration } from './features/session-administration/session-administration.ts'
import { RefreshService } from './features/sessions/refresh-service.ts'
import { SessionService } from './features/sessions/session-service.ts'
import { SignInHistory } from './features/sign-ins/sign-in-history.ts'
import { UserService } from './features/user-management/user-service.ts'
import { Housekeeping } from './housekeeping.ts'
import { createLimits } from './limits/create-limits.ts'

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
    ...createFactors({ ...base, sessions, notices, securityKeys: new SecurityKeys({ challenges, party }) }),
  }
}

/** The services of second factors. */
const createFactors = (deps: ConstructorParameters<typeof FactorVerification>[0]) => ({
  factors: new FactorService(deps),
  factorVerification: new FactorVerification(deps),
  recoveryCodes: new RecoveryCodeService(deps),
})
