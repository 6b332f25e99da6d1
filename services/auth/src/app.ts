import type { Guard } from '@looptide/service-kit/audit/guard'
import { issuerOf } from '@looptide/service-kit/identity/tokens'
import { databaseService } from '@looptide/service-kit/process/database-service'
import type { RouteScopes } from '@looptide/service-kit/process/route-scopes'
import type { AuthConfig } from './config.ts'
import { createServices } from './create-services.ts'
import { Vault } from './crypto/vault.ts'
import type { Database } from './db/schema.ts'
import { DatabaseIdentity } from './features/access/database-identity.ts'
import { getAccess } from './features/access/get-access.ts'
import { deleteAvatar } from './features/avatars/routes/delete-avatar.ts'
import { putAvatar } from './features/avatars/routes/put-avatar.ts'
import { readAvatar } from './features/avatars/routes/read-avatar.ts'
import { exportAccount } from './features/export/export-account.ts'
import { AccessTokens } from './features/keys/access-tokens.ts'
import { SigningKeys } from './features/keys/signing-keys.ts'
import { createToken } from './features/personal-tokens/routes/create-token.ts'
import { exchangeToken } from './features/personal-tokens/routes/exchange-token.ts'
import { listTokens } from './features/personal-tokens/routes/list-tokens.ts'
import { revokeTokens } from './features/personal-tokens/routes/revoke-tokens.ts'
import { addRestriction } from './features/restrictions/routes/add-restriction.ts'
import { removeRestriction } from './features/restrictions/routes/remove-restriction.ts'
import { endAllSessions } from './features/session-administration/routes/end-all-sessions.ts'
import { endUserSessions } from './features/session-administration/routes/end-user-sessions.ts'
import { resetPassword } from './features/session-administration/routes/reset-password.ts'
import { listSignIns } from './features/sign-ins/routes/list-sign-ins.ts'
import { cancelEmailChange } from './features/user-management/routes/cancel-email-change.ts'
import { checkHandle } from './features/user-management/routes/check-handle.ts'
import { deleteMe } from './features/user-management/routes/delete-me.ts'
import { endSession } from './features/user-management/routes/end-session.ts'
import { listProfiles } from './features/user-management/routes/list-profiles.ts'
import { listSessions } from './features/user-management/routes/list-sessions.ts'
import { listUsers } from './features/user-management/routes/list-users.ts'
import { lookUpProfiles } from './features/user-management/routes/look-up-profiles.ts'
import { readIsAdmin } from './features/user-management/routes/read-is-admin.ts'
import { readMe } from './features/user-management/routes/read-me.ts'
import { readProfile } from './features/user-management/routes/read-profile.ts'
import { readProfileByHandle } from './features/user-management/routes/read-profile-by-handle.ts'
import { setRole } from './features/user-management/routes/set-role.ts'
import { updateProfile } from './features/user-management/routes/update-profile.ts'
import { AUTH_PREFIX, type AuthRoutesDeps, addAuthRoutes } from './protocol/routes/index.ts'

/** Builds the auth service. `givenNow` replaces the station clock in tests; it returns epoch milliseconds. */
export function authService(config: AuthConfig, givenNow?: () => number) {
  const { accessTokenTtlS, mailConfirmation, serviceKeys, signUp } = config
  const { brandName } = config.mail
  const staffNeedsFactor = config.secondFactor === 'required'
  const vault = new Vault(config.keySecret, config.previousKeySecret)
  let keys: SigningKeys
  let tokens: AccessTokens
  return databaseService<Database>({
    name: 'auth',
    config,
    ownProtocol: `${AUTH_PREFIX}/`,
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
      const services = createServices(config, { ...deps, now, vault, tokens })
      const { mailQueue, smtp, limits, housekeeping } = services
      return {
        routes: [],
        scopes: routes({
          ...services,
          db,
          guard,
          now,
          reportRefusal,
          keys,
          tokens,
          mailConfirmation,
          oidcProviders: config.oidcProviders,
          hasPasskeys: config.passkeyParty !== undefined,
          serviceKeys,
          signUp,
          anonymousSignIn: config.anonymousSignIn,
          brandName,
          staffNeedsFactor,
        }),
        checks: [mailQueue.check],
        background: [mailQueue, { start: () => undefined, stop: () => smtp.close() }, limits, housekeeping],
      }
    },
  })
}

type RouteDeps = AuthRoutesDeps &
  ReturnType<typeof createServices> & {
    guard: Guard
    staffNeedsFactor: boolean
    now: () => number
  }

const routes = (deps: RouteDeps): RouteScopes => ({
  anyone: async (app) => {
    // The auth protocol checks tokens itself.
    await addAuthRoutes(app, deps)
    await app.register(readIsAdmin)
    await app.register(readProfile, deps)
    await app.register(readProfileByHandle, deps)
    await app.register(readAvatar, deps)
  },
  user: async (app) => {
    await app.register(readMe, deps)
    await app.register(deleteMe, deps)
    await app.register(cancelEmailChange, deps)
    await app.register(listSessions, deps)
    await app.register(endSession, deps)
    await app.register(listSignIns, deps)
    await app.register(exportAccount, deps)
    await app.register(listTokens, deps)
    await app.register(createToken, deps)
    await app.register(revokeTokens, deps)
    await app.register(listProfiles, deps)
    await app.register(lookUpProfiles, deps)
    await app.register(checkHandle, deps)
    await app.register(updateProfile, deps)
    await app.register(putAvatar, deps)
    await app.register(deleteAvatar, deps)
  },
  'chat:moderate': async (app) => {
    // The handler checks the further permission that some restrictions need.
    await app.register(addRestriction, deps)
    await app.register(removeRestriction, deps)
  },
  'users:manage': async (app) => {
    await app.register(listUsers, deps)
    await app.register(endUserSessions, deps)
    await app.register(endAllSessions, deps)
    await app.register(setRole, deps)
    await app.register(resetPassword, deps)
  },
  internal: async (app) => {
    await app.register(getAccess, deps)
    await app.register(exchangeToken, deps)
  },
})
