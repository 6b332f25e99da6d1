import { authOperations } from '@looptide/contracts/operations/auth'
import { issuerOf } from '@looptide/service-kit/identity/tokens'
import { databaseService } from '@looptide/service-kit/process/database-service'
import type { AuthConfig } from './config.ts'
import { onCaseDecided } from './consumers/on-case-decided.ts'
import { onReminderDue } from './consumers/on-reminder-due.ts'
import { onWebhookDisabled } from './consumers/on-webhook-disabled.ts'
import { createServices } from './create-services.ts'
import { PasswordHasher } from './crypto/password-hasher.ts'
import { Vault } from './crypto/vault.ts'
import type { Database } from './db/schema.ts'
import { tables } from './db/tables.ts'
import { accountRoutes, exportRoutes, profileRoutes } from './features/account/routes.ts'
import { personalTokenRoutes } from './features/credential/token/routes.ts'
import { AccessTokens } from './features/keys/access-tokens.ts'
import { SigningKeys } from './features/keys/signing-keys.ts'
import type { MailQueue } from './features/mail/mail-queue.ts'
import { ReminderMails } from './features/mail/reminder-mails.ts'
import type { SecurityNotices } from './features/mail/security-notices.ts'
import { avatarRoutes, summaryRoutes } from './features/profile/routes.ts'
import { DatabaseIdentity } from './features/session/database-identity.ts'
import { accessRoutes, signInRoutes } from './features/session/routes.ts'
import type { RestrictionService } from './features/staff/restriction-service.ts'
import { restrictionRoutes, sessionAdministrationRoutes, userRoutes } from './features/staff/routes.ts'
import { authProtocol, authRoutes } from './protocol/auth-routes.ts'

/**
 * Builds the auth service. `givenNow` replaces the station clock in tests; it returns epoch milliseconds. Tests also
 * replace the hasher by a cheaper one.
 */
export function authService(
  config: AuthConfig,
  givenNow?: () => number,
  hasher: PasswordHasher = new PasswordHasher(),
) {
  const { accessTokenTtlS } = config
  const staffNeedsFactor = config.secondFactor === 'required'
  const vault = new Vault(config.keySecret, config.previousKeySecret)
  let keys: SigningKeys
  let tokens: AccessTokens
  return databaseService<Database>({
    name: 'auth',
    config,
    operations: authOperations,
    tables,
    identity: ({ db, logger, now: stationNow }) => {
      const now = givenNow ?? stationNow
      const warn = (error: unknown): void => logger.warn({ err: error }, 'signing keys load failed')
      keys = new SigningKeys({ db, vault, accessTokenTtlS, now, warn })
      tokens = new AccessTokens({ keys, issuer: issuerOf(config.siteUrl), ttlS: accessTokenTtlS, now })
      const identity = new DatabaseIdentity(db, tokens, staffNeedsFactor)
      const background = { start: () => keys.start(), stop: () => keys.stop() }
      return { verifier: identity, access: identity, now, ...background }
    },
    build: (deps) => {
      const { db, guard, reportRefusal } = deps
      const now = givenNow ?? deps.now
      const services = createServices(config, { ...deps, now, vault, tokens, hasher })
      const { mailQueue, smtp, limits, housekeeping } = services
      const routeDeps = {
        ...{ ...config, ...services, db, guard, now, reportRefusal, keys, tokens },
        hasPasskeys: config.passkeyParty !== undefined,
        brandName: config.mail.brandName,
        staffNeedsFactor,
      }
      return {
        ownProtocol: authProtocol(routeDeps),
        routes: [
          ...authRoutes(routeDeps),
          ...accountRoutes(routeDeps),
          ...profileRoutes(routeDeps),
          ...avatarRoutes(routeDeps),
          ...signInRoutes(routeDeps),
          ...personalTokenRoutes(routeDeps),
          ...exportRoutes(routeDeps),
          ...userRoutes(routeDeps),
          ...restrictionRoutes(routeDeps),
          ...sessionAdministrationRoutes(routeDeps),
          ...accessRoutes(routeDeps),
          ...summaryRoutes(routeDeps),
        ],
        handlers: handlersOf(config, { ...services, now }),
        afterApply: () => mailQueue.wake(),
        checks: [mailQueue.check],
        background: [mailQueue, { start: () => undefined, stop: () => smtp.close() }, limits],
        tasks: [housekeeping],
      }
    },
  })
}

/** The consumers of events: some are mailed. */
const handlersOf = (
  { mail, siteUrl }: AuthConfig,
  {
    notices,
    mailQueue: mails,
    restrictions,
    now,
  }: {
    notices: SecurityNotices
    mailQueue: MailQueue
    restrictions: RestrictionService
    now: () => number
  },
) => ({
  'chat.case.decided.v1': onCaseDecided(restrictions),
  'admin.webhook.disabled.v1': onWebhookDisabled(notices),
  'audience.reminder.due.v1': onReminderDue(
    new ReminderMails({ mails, brandName: mail.brandName, siteUrl, now }),
  ),
})
