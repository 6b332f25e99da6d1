import type { FastifyInstance } from 'fastify'
import type { App } from '../http/app.ts'
import { requireInternal } from '../identity/internal.ts'
import { requireAdmin, requireModerator, requireUser } from '../identity/request-user.ts'

type AddRoutes = (app: App) => void | Promise<void>

/** A service's routes, by who may call them. */
export interface RouteScopes {
  /** Visitors too. Includes routes that decide by their query or by another service's answer. */
  anyone?: AddRoutes
  user?: AddRoutes
  moderator?: AddRoutes
  admin?: AddRoutes
  /** Admins, for dangerous actions: the handler asks the guard, which also records refused attempts. */
  guarded?: AddRoutes
  /** Other services, by an internal token. The gateway does not route these. */
  internal?: AddRoutes
}

/** Registers the routes of each scope behind its check. */
export async function addScopedRoutes(
  app: App,
  scopes: RouteScopes,
  internalTokensAccepted: readonly string[],
): Promise<void> {
  const checks = {
    anyone: undefined,
    user: requireUser,
    moderator: requireModerator,
    admin: requireAdmin,
    guarded: undefined,
    internal: requireInternal(internalTokensAccepted),
  }
  for (const [name, add] of Object.entries(scopes) as [keyof RouteScopes, AddRoutes | undefined][]) {
    await app.register(async (scope: FastifyInstance) => {
      const check = checks[name]
      if (check !== undefined) scope.addHook('onRequest', check)
      await add?.(scope as App)
    })
  }
}
