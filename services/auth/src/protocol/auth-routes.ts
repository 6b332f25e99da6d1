import type { App } from '@looptide/service-kit/http/app'
import type { OwnProtocol } from '@looptide/service-kit/routes/bind-routes'
import type { Route } from '@looptide/service-kit/routes/route'
import { requireServiceKey, type ServiceKeyDeps } from './admin/require-service-key.ts'
import { type AdminDeps, adminRoutes } from './admin/routes.ts'
import { useAuthProtocol } from './auth-protocol.ts'
import { requireCaller } from './bearer.ts'
import { type AccountDeps, accountRoutes } from './routes/account.ts'
import { type DeviceDeps, deviceRoutes } from './routes/devices.ts'
import { type FactorDeps, factorRoutes, recoveryCodeRoutes } from './routes/factors.ts'
import { type IdentityDeps, identityRoutes } from './routes/identities.ts'
import { type MailDeps, mailRoutes } from './routes/mails.ts'
import { type PasskeyDeps, passkeyRoutes } from './routes/passkeys.ts'
import { type SignInDeps, signInRoutes } from './routes/sign-in.ts'
import { type StationDeps, stationRoutes } from './routes/station.ts'

export interface AuthRoutesDeps
  extends AccountDeps,
    AdminDeps,
    DeviceDeps,
    FactorDeps,
    IdentityDeps,
    MailDeps,
    PasskeyDeps,
    SignInDeps,
    StationDeps {}

/** The protocol of `/auth/v1`, which verifies bearer tokens itself. */
export const authProtocol = (deps: ServiceKeyDeps & { now: () => number }): OwnProtocol => ({
  prefix: '/auth/v1',
  install: (scope: App) => {
    useAuthProtocol(scope)
    scope.decorateRequest('caller', null)
    scope.addHook('onRequest', requireCaller(deps))
    scope.addHook('onRequest', requireServiceKey(deps))
  },
})

/** All routes of `/auth/v1`. */
export const authRoutes = (deps: AuthRoutesDeps): Route[] => [
  ...signInRoutes(deps),
  ...mailRoutes(deps),
  ...accountRoutes(deps),
  ...factorRoutes(deps),
  ...recoveryCodeRoutes(deps),
  ...passkeyRoutes(deps),
  ...identityRoutes(deps),
  ...deviceRoutes(deps),
  ...stationRoutes(deps),
  ...adminRoutes(deps),
]
