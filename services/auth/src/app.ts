import type { ServiceOptions } from '@looptide/service-kit/run-service'
import { issuerOf } from '@looptide/service-kit/tokens'
import { createAuthMetrics } from './auth-metrics.ts'
import type { AuthConfig } from './config.ts'
import { PasswordHasher } from './crypto/password-hasher.ts'
import { Vault } from './crypto/vault.ts'
import type { AuthDatabase } from './db/schema.ts'
import { DatabaseIdentity } from './features/access/database-identity.ts'
import { getAccess } from './features/access/get-access.ts'
import { AccountService } from './features/accounts/account-service.ts'
import { EmailChangeService } from './features/accounts/email-change-service.ts'
import { MailService } from './features/accounts/mail-service.ts'
import { Registration } from './features/accounts/registration.ts'
import { UpdateService } from './features/accounts/update-service.ts'
import { AvatarService } from './features/avatars/avatar-service.ts'
import { addAvatarRoutes } from './features/avatars/routes/index.ts'
import { VerificationService } from './features/codes/verification-service.ts'
import { AccessTokens } from './features/keys/access-tokens.ts'
import { SigningKeys } from './features/keys/signing-keys.ts'
import { createMailComponents } from './features/mail/create-mail-components.ts'
import { NamePolicy } from './features/names/name-policy.ts'
import { NameRules } from './features/names/name-rules.ts'
import { PeopleService } from './features/people/people-service.ts'
import { RoleService } from './features/people/role-service.ts'
import { addPeopleRoutes } from './features/people/routes/index.ts'
import { KeptRestrictions } from './features/restrictions/kept-restrictions.ts'
import { RestrictionService } from './features/restrictions/restriction-service.ts'
import { addRestrictionRoutes } from './features/restrictions/routes/index.ts'
import { SessionService } from './features/sessions/session-service.ts'
import { Housekeeping } from './housekeeping.ts'
import { createLimits } from './limits/create-limits.ts'
import { RedirectPolicy } from './protocol/redirect.ts'
import { AUTH_PREFIX, addAuthRoutes } from './protocol/routes/index.ts'

/** Builds the auth service. `givenNow` replaces the station clock in tests; it returns epoch milliseconds. */
export function authService(config: AuthConfig, givenNow?: () => number): ServiceOptions<AuthDatabase> {
  const { accessTokenTtlS, mailConfirmation } = config
  const vault = new Vault(config.keySecret, config.previousKeySecret)
  let keys: SigningKeys
  let tokens: AccessTokens
  return {
    name: 'auth',
    config,
    ownProtocol: `${AUTH_PREFIX}/`,
    identity: ({ db, logger, now: stationNow }) => {
      const now = givenNow ?? stationNow
      const warn = (error: unknown): void => logger.warn({ err: error }, 'signing keys load failed')
      keys = new SigningKeys({ db, vault, accessTokenTtlS, now, warn })
      tokens = new AccessTokens({ keys, issuer: issuerOf(config.siteUrl), ttlS: accessTokenTtlS, now })
      const identity = new DatabaseIdentity(db, tokens)
      return { verifier: identity, access: identity, start: () => keys.start(), stop: () => keys.stop() }
    },
    build: ({ db, logger, metrics, guard, reportRefusal, now: stationNow }) => {
      const now = givenNow ?? stationNow
      const authMetrics = createAuthMetrics(metrics.registry)
      const redirects = new RedirectPolicy(config.siteUrl, config.redirectAllowList)
      const { smtp, queue, codes, notices } = createMailComponents(config, {
        db,
        vault,
        redirects,
        logger,
        metrics: authMetrics,
        now,
      })
      const hasher = new PasswordHasher()
      const sessions = new SessionService({
        db,
        vault,
        tokens,
        notices,
        refreshReuseIntervalS: config.refreshReuseIntervalS,
        sessionsPerUser: config.sessionsPerUser,
        now,
      })
      const { limits, signInGuard } = createLimits(config, { db, vault, logger, metrics: authMetrics, now })
      const names = new NamePolicy(config.brandNames)
      const keptRestrictions = new KeptRestrictions(vault)
      const registration = new Registration({ names, keptRestrictions })
      const restrictions = new RestrictionService({ db, sessions, keptRestrictions, now })
      const emailChanges = new EmailChangeService({ db, codes, now })
      const housekeeping = new Housekeeping({
        db,
        logger,
        keptRestrictions,
        unconfirmedAccountDays: config.unconfirmedAccountDays,
        now,
      })
      return {
        routes: async (app) => {
          await addAuthRoutes(app, {
            db,
            reportRefusal,
            accounts: new AccountService({
              db,
              vault,
              hasher,
              sessions,
              registration,
              codes,
              mailConfirmation,
              logger,
              now,
            }),
            mails: new MailService({ db, registration, codes, mailConfirmation, now }),
            updates: new UpdateService({ db, hasher, sessions, emailChanges, codes, now }),
            emailChanges,
            verifications: new VerificationService({
              db,
              vault,
              sessions,
              registration,
              keptRestrictions,
              logger,
              now,
            }),
            sessions,
            keys,
            tokens,
            redirects,
            limits,
            signInGuard,
            mailConfirmation,
          })
          await addPeopleRoutes(app, {
            db,
            people: new PeopleService({ ...config, db, now, names: new NameRules(names) }),
            roles: new RoleService(db, now),
            emailChanges,
            sessions,
            keptRestrictions,
            hasher,
            limits,
            guard,
            now,
          })
          await addAvatarRoutes(app, { avatars: new AvatarService(db, now), limits })
          await addRestrictionRoutes(app, { restrictions, guard })
          await app.register(getAccess, { db, internalTokensAccepted: config.internalTokensAccepted, now })
        },
        checks: [queue.check],
        background: [queue, { start: () => undefined, stop: () => smtp.close() }, limits, housekeeping],
      }
    },
  }
}
