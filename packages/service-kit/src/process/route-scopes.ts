import { proofOf } from '@looptide/contracts/operation'
import { OPERATIONS } from '@looptide/contracts/operations/all'
import { PERMISSIONS, type Permission } from '@looptide/contracts/permissions'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { definitionOf } from '../http/definition-of.ts'
import { requireInternal } from '../identity/internal.ts'
import { requirePermission, requireProof, signedIn } from '../identity/request-user.ts'

type AddRoutes = (app: App) => void | Promise<void>

/** A service's routes, by who may call them: users whose role has the named permission, or one of these. */
export interface RouteScopes extends Partial<Record<Permission, AddRoutes>> {
  /** Visitors too. Includes routes that decide by their query or by another service's answer. */
  anyone?: AddRoutes
  user?: AddRoutes
  /** Other services, by an internal token. The gateway does not route these. */
  internal?: AddRoutes
}

interface ScopeOptions {
  internalTokensAccepted: readonly string[]
  /** URL prefix of routes that check the bearer token themselves. */
  ownProtocol: string | undefined
  now: () => number
}

const hasPermission = (permission: Permission) => async (request: FastifyRequest) =>
  requirePermission(request, permission)

const PERMISSION_CHECKS = Object.fromEntries(
  PERMISSIONS.map((permission) => [permission, hasPermission(permission)]),
) as Record<Permission, ReturnType<typeof hasPermission>>

/**
 * Registers the routes of each scope behind its check, which runs before the body is read, and behind the proof of the
 * step-up table. Throws for a route whose operation is described for another audience.
 */
export async function addScopedRoutes(
  app: App,
  scopes: RouteScopes,
  { internalTokensAccepted, ownProtocol, now }: ScopeOptions,
): Promise<void> {
  const checks = {
    ...PERMISSION_CHECKS,
    anyone: undefined,
    user: async (request: FastifyRequest) => void signedIn(request),
    internal: requireInternal(internalTokensAccepted),
  }
  for (const [name, add] of Object.entries(scopes) as [keyof RouteScopes, AddRoutes | undefined][]) {
    await app.register(async (scope: FastifyInstance) => {
      const check = checks[name]
      if (check !== undefined) scope.addHook('onRequest', check)
      if (name !== 'anyone' && name !== 'internal')
        scope.addHook('onRequest', async (request) =>
          requireProof(request, proofOf(definitionOf(request.routeOptions.config) ?? {}), now()),
        )
      scope.addHook('onRoute', ({ url, config }) => {
        const audience = OPERATIONS.get(config?.operation ?? '')?.audience
        const checksItself = ownProtocol !== undefined && url.startsWith(ownProtocol)
        if (audience !== undefined && audience !== name && !checksItself)
          throw new Error(`${config?.operation} is for "${audience}", but in the scope "${name}".`)
      })
      await add?.(scope as App)
    })
  }
}
