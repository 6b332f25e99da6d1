import { issuerOf } from '@looptide/service-kit/identity/tokens'
import type { ServiceOptions } from '@looptide/service-kit/process/run-service'
import type { AuthConfig } from './config.ts'
import { createServices } from './create-services.ts'
import { Vault } from './crypto/vault.ts'
import type { AuthDatabase } from './db/schema.ts'
import { DatabaseIdentity } from './features/access/database-identity.ts'
import { getAccess } from './features/access/get-access.ts'
import { addAvatarRoutes } from './features/avatars/routes/index.ts'
import { AccessTokens } from './features/keys/access-tokens.ts'
import { SigningKeys } from './features/keys/signing-keys.ts'
import { addRestrictionRoutes } from './features/restrictions/routes/index.ts'
import { addUserRoutes } from './features/user-management/routes/index.ts'
import { AUTH_PREFIX, addAuthRoutes } from './protocol/routes/index.ts'

/** Builds the auth service. `givenNow` replaces the station clock in tests; it returns epoch milliseconds. */
export function authService(config: AuthConfig, givenNow?: () => number): ServiceOptions<AuthDatabase> {
  const { accessTokenTtlS, mailConfirmation, internalTokensAccepted } = config
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
    build: (deps) => {
      const { db, guard, reportRefusal } = deps
      const now = givenNow ?? deps.now
      const services = createServices(config, { ...deps, now, vault, tokens })
      const { mailQueue, smtp, limits, housekeeping } = services
      return {
        routes: async (app) => {
          await addAuthRoutes(app, { ...services, db, reportRefusal, keys, tokens, mailConfirmation })
          await addUserRoutes(app, { ...services, db, guard, now })
          await addAvatarRoutes(app, services)
          await addRestrictionRoutes(app, { ...services, guard })
          await app.register(getAccess, { db, internalTokensAccepted, now })
        },
        checks: [mailQueue.check],
        background: [mailQueue, { start: () => undefined, stop: () => smtp.close() }, limits, housekeeping],
      }
    },
  }
}
