import { PERMISSIONS, type Permission } from '@looptide/contracts/permissions'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { requireInternal } from '../identity/internal.ts'
import { requirePermission, requireUser } from '../identity/request-user.ts'

type AddRoutes = (app: App) => void | Promise<void>

/** A service's routes, by who may call them: users whose role has the named permission, or one of these. */
export interface RouteScopes extends Partial<Record<Permission, AddRoutes>> {
  /** Visitors too. Includes routes that decide by their query or by another service's answer. */
  anyone?: AddRoutes
  user?: AddRoutes
  /** Dangerous actions: the handler calls the guard, which checks the permission and records refused attempts. */
  guarded?: AddRoutes
  /** Other services, by an internal token. The gateway does not route these. */
  internal?: AddRoutes
}

const hasPermission = (permission: Permission) => async (request: FastifyRequest) =>
  requirePermission(request, permission)

const PERMISSION_CHECKS = Object.fromEntries(
  PERMISSIONS.map((permission) => [permission, hasPermission(permission)]),
) as Record<Permission, ReturnType<typeof hasPermission>>

/** Registers the routes of each scope behind its check. */
export async function addScopedRoutes(
  app: App,
  scopes: RouteScopes,
  internalTokensAccepted: readonly string[],
): Promise<void> {
  const checks = {
    ...PERMISSION_CHECKS,
    anyone: undefined,
    user: requireUser,
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
