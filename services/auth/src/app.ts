import type { ServiceOptions } from '@looptide/service-kit/run-service'
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
import { UpdateService } from './features/accounts/update-service.ts'
import { AvatarService } from './features/avatars/avatar-service.ts'
import { addAvatarRoutes } from './features/avatars/routes/index.ts'
import { CodeSender } from './features/codes/code-sender.ts'
import { VerificationService } from './features/codes/verification-service.ts'
import { AccessTokens } from './features/keys/access-tokens.ts'
import { SigningKeys } from './features/keys/signing-keys.ts'
import { MailQueue } from './features/mail/mail-queue.ts'
import { createSmtp } from './features/mail/smtp.ts'
import { PeopleService } from './features/people/people-service.ts'
import { RoleService } from './features/people/role-service.ts'
import { addPeopleRoutes } from './features/people/routes/index.ts'
import { RestrictionService } from './features/restrictions/restriction-service.ts'
import { addRestrictionRoutes } from './features/restrictions/routes/index.ts'
import { SessionService } from './features/sessions/session-service.ts'
import { AccountNetworks } from './limits/account-networks.ts'
import { ProofOfWork } from './limits/proof-of-work.ts'
import { RateLimits } from './limits/rate-limits.ts'
import { SignInGuard } from './limits/sign-in-guard.ts'
import { RedirectPolicy } from './protocol/redirect.ts'
import { AUTH_PREFIX, addAuthRoutes } from './protocol/routes/index.ts'
import { Sweep } from './sweep.ts'

/** What `iss` says in every token of this site. */
export const issuerOf = (siteUrl: string): string => new URL(AUTH_PREFIX, siteUrl).href

/** The auth service. `givenNow` answers epoch milliseconds, in the place of the station's clock. */
export function authService(config: AuthConfig, givenNow?: () => number): ServiceOptions<AuthDatabase> {
  const { accessTokenTtlS, mailConfirmation } = config
  const vault = new Vault(config.keySecret)
  let keys: SigningKeys
  let tokens: AccessTokens
  return {
    name: 'auth',
    config,
    ownProtocol: `${AUTH_PREFIX}/`,
    identity: ({ db, logger, now: stationNow }) => {
      const now = givenNow ?? stationNow
      const warn = (error: unknown): void => logger.warn({ err: error }, 'the signing keys could not be read')
      keys = new SigningKeys({ db, vault, accessTokenTtlS, now, warn })
      tokens = new AccessTokens({ keys, issuer: issuerOf(config.siteUrl), ttlS: accessTokenTtlS, now })
      const identity = new DatabaseIdentity(db, tokens)
      return { verifier: identity, access: identity, start: () => keys.start(), stop: () => keys.stop() }
    },
    build: ({ db, logger, metrics, guard, now: stationNow }) => {
      const now = givenNow ?? stationNow
      const smtp = createSmtp(config.mail)
      const { mails, waiting, refusals } = createAuthMetrics(metrics.registry)
      const queue = new MailQueue({ db, vault, send: smtp.send, logger, mails, waiting, now })
      const redirects = new RedirectPolicy(config.siteUrl, config.redirectAllowList)
      const codes = new CodeSender({
        vault,
        mails: queue,
        redirects,
        brandName: config.mail.brandName,
        otpTtlS: config.otpTtlS,
        rateLimitFactor: config.rateLimitFactor,
        now,
      })
      const hasher = new PasswordHasher()
      const sessions = new SessionService({
        db,
        vault,
        tokens,
        refreshReuseIntervalS: config.refreshReuseIntervalS,
        sessionsPerUser: config.sessionsPerUser,
        now,
      })
      const limits = new RateLimits({
        vault,
        redisUrl: config.redisUrl,
        factor: config.rateLimitFactor,
        station: config,
        refusals,
        warn: (error) => logger.warn({ err: error }, 'Redis is away: rate limits count in memory'),
      })
      const signInGuard = new SignInGuard({
        limits,
        networks: new AccountNetworks({ db, vault, now }),
        proofs: new ProofOfWork({ vault, limits, now }),
        logger,
      })
      const restrictions = new RestrictionService({ db, sessions, now })
      const emailChanges = new EmailChangeService({ db, codes, now })
      const sweep = new Sweep({ db, logger, unconfirmedAccountDays: config.unconfirmedAccountDays, now })
      return {
        routes: async (app) => {
          await addAuthRoutes(app, {
            db,
            accounts: new AccountService({ db, hasher, sessions, codes, mailConfirmation, logger, now }),
            mails: new MailService({ db, codes, mailConfirmation, now }),
            updates: new UpdateService({ db, hasher, sessions, emailChanges, codes, now }),
            emailChanges,
            verifications: new VerificationService({ db, vault, sessions, logger, now }),
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
            people: new PeopleService(db, now, config.otpTtlS),
            roles: new RoleService(db, now),
            emailChanges,
            sessions,
            hasher,
            limits,
            guard,
            now,
          })
          await addAvatarRoutes(app, { avatars: new AvatarService(db, now), limits })
          await addRestrictionRoutes(app, { restrictions, guard })
          await app.register(getAccess, { db, internalToken: config.internalToken, now })
        },
        checks: [queue.check],
        background: [queue, { start: () => undefined, stop: () => smtp.close() }, limits, sweep],
      }
    },
  }
}
