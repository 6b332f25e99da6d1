import { type FileOutput, type Operation, partsOfCall, proofOf } from '@looptide/contracts/operation'
import type { FastifySchema, onRequestAsyncHookHandler } from 'fastify'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { App } from '../http/app.ts'
import { requireInternal } from '../identity/internal.ts'
import { requirePermission, requireProof, signedIn } from '../identity/request-user.ts'
import type { Route } from './route.ts'

/** A protocol that checks bearer tokens itself and has its own errors and answers, below a path prefix. */
export interface OwnProtocol {
  /** Such as `/auth/v1`. */
  prefix: string
  /** Installs the protocol's conventions in the scope of its routes. */
  install(scope: App): void
}

interface BindOptions {
  internalTokensAccepted: readonly string[]
  ownProtocol?: OwnProtocol | undefined
  /** The time that proofs of a session are compared with, in epoch ms. */
  now: () => number
}

type Hook = onRequestAsyncHookHandler

/**
 * Registers the routes of a service. Each is behind the check of its operation's audience and proof, which runs before the
 * body is read. Throws for a handler whose operation is not among `operations`, and for an operation without a handler.
 */
export async function bindRoutes(
  app: App,
  service: { name: string; operations: readonly Operation[] },
  routes: readonly Route[],
  { ownProtocol, ...options }: BindOptions,
): Promise<void> {
  requireComplete(service, routes)
  const isOwn = ({ operation: { call } }: Route): boolean =>
    ownProtocol !== undefined && call.includes(` ${ownProtocol.prefix}/`)
  const checks = accessChecks(options)
  for (const route of routes.filter((candidate) => !isOwn(candidate)))
    await bindRoute(app, route, checks(route.operation))
  if (ownProtocol === undefined) return
  await app.register(async (scope) => {
    ownProtocol.install(scope as App)
    for (const route of routes.filter(isOwn)) bindOwnRoute(scope as App, route)
  }, ownProtocol)
}

/** Throws unless every operation has one handler, and every handler an operation. */
export function requireComplete(
  { name, operations }: { name: string; operations: readonly Operation[] },
  routes: readonly Route[],
): void {
  const bound = new Set(routes.map(({ operation }) => operation))
  for (const operation of operations)
    if (!bound.has(operation))
      throw new Error(
        `${operation.name} has no handler: add route(…) to a routes.ts of ${name}, and its routes to app.ts`,
      )
  const owned = new Set(operations)
  for (const operation of bound)
    if (!owned.has(operation))
      throw new Error(
        `${operation.name} has a handler in ${name}, which does not own it: if it is this service's, add its module to the list of the service in packages/contracts/src/operations`,
      )
}

function accessChecks({ internalTokensAccepted, now }: BindOptions) {
  const internal = requireInternal(internalTokensAccepted)
  return (operation: Operation): Hook[] => {
    const { audience } = operation
    if (audience === 'internal') return [internal]
    if (audience === 'anyone' || audience === 'service-key') return []
    const identified: Hook =
      audience === 'user'
        ? async (request) => void signedIn(request)
        : async (request) => requirePermission(request, audience)
    const proof = proofOf(operation)
    return [identified, async (request) => requireProof(request, proof, now())]
  }
}

/** Registers one route behind these checks. The answer contains only what the operation's output declares. */
export async function bindRoute(app: App, route: Route, checks: readonly Hook[] = []): Promise<void> {
  const { operation } = route
  const add = (scope: App): void => addRoute(scope, route, checks, responsesOf(operation))
  if (operation.consumes === undefined) return add(app)
  await app.register(async (scope) => {
    acceptBytes(scope as App, operation)
    add(scope as App)
  })
}

/** Registers a route of {@link OwnProtocol}. Its output describes the answers, but filters nothing. */
function bindOwnRoute(scope: App, route: Route): void {
  addRoute(scope, route, [], {})
}

function addRoute(
  scope: App,
  { operation, hooks, handle }: Route,
  checks: readonly Hook[],
  responses: object,
) {
  const { name, input = {}, bodyBytes, validatedBy, audience, consumes } = operation
  const { method, path } = partsOfCall(operation)
  const { params, query, body } = input
  const own = hooks.onRequest === undefined ? [] : [hooks.onRequest].flat()
  scope.route({
    ...hooks,
    method,
    url: path.slice(scope.prefix.length),
    onRequest: [...checks, ...own] as Hook[],
    ...(bodyBytes === undefined ? {} : { bodyLimit: bodyBytes }),
    ...(operation.head === false ? { exposeHeadRoute: false } : {}),
    schema: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined || validatedBy === 'handler' ? {} : { body }),
      ...(consumes === undefined ? {} : { consumes }),
      ...(audience === 'internal' ? { hide: true } : {}),
      response: responses,
    } as FastifySchema,
    config: { operation: name, definition: operation },
    handler: handle,
  })
}

const noBody = Type.Null()

/** JSON answers are serialised by their schema. Files are sent as they are. */
const responsesOf = ({ output }: Operation): Record<string, TSchema | FileOutput> =>
  Object.fromEntries(Object.entries(output).map(([status, schema]) => [status, schema ?? noBody]))

/** Accepts bodies of the operation's types as bytes. */
function acceptBytes(scope: App, { consumes = [], bodyBytes }: Operation): void {
  scope.addContentTypeParser(
    [...consumes],
    { parseAs: 'buffer', ...(bodyBytes === undefined ? {} : { bodyLimit: bodyBytes }) },
    (_request, body, done) => done(null, body),
  )
}
