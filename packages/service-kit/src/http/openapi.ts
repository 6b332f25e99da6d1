import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { ErrorBody } from '@looptide/contracts/errors'
import { AUTH_BODIES, AuthErrorBody } from '@looptide/contracts/http/auth-responses'
import {
  type Audience,
  ETAG_OPERATIONS,
  IF_MATCH_OPERATIONS,
  NO_BODY_STATUS,
  OPERATIONS,
} from '@looptide/contracts/http/operations'
import { rolesWith } from '@looptide/contracts/permissions'
import { SCOPE_OF } from '@looptide/contracts/token-scopes'
import type { FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>

interface Refusal {
  description: string
  content: Record<string, { schema: TSchema }>
}

interface Operation {
  operationId?: string
  parameters?: { in?: string }[]
  requestBody?: unknown
  responses?: Record<string, object>
}

const BEARER = { bearer: [] }
/** Error responses shared by all operations, by component name. */
const REFUSALS = {
  BadRequest: 'The request is invalid.',
  Unauthorized: 'No user is signed in, or the session has ended.',
  Forbidden: 'The caller may not do this.',
  NotFound: 'The resource does not exist, or the caller may not see it.',
  PreconditionFailed: 'If-Match does not name the current version. Nothing was changed.',
  TooManyRequests: 'Too many requests. `retry-after` says when to try again.',
} as const
type RefusalName = keyof typeof REFUSALS
/** The description of the callers of an operation that needs more than a session. */
function callersOf(audience: Audience): string | undefined {
  if (audience === 'anyone' || audience === 'user') return undefined
  if (audience === 'service-key') return 'For the operator, with the service key.'
  return `Needs the permission \`${audience}\`. Roles: ${rolesWith(audience).join(', ')}.`
}

const IF_MATCH = {
  type: 'object',
  properties: {
    'if-match': { type: 'string', description: 'The ETag of the version that the change is based on.' },
  },
}
const ETAG = {
  ETag: {
    schema: { type: 'string' },
    description: 'The current version. Send it as If-Match to change only this version.',
  },
}

/** Operation id: `catalogueVideoList` for `catalogue.video.list`. */
const operationIdOf = (operation: string): string =>
  operation.replaceAll(/[^a-zA-Z0-9]+([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase())

const idsOf = (operations: ReadonlySet<string>): Set<string> => new Set([...operations].map(operationIdOf))
const ETAG_IDS = idsOf(ETAG_OPERATIONS)
const IF_MATCH_IDS = idsOf(IF_MATCH_OPERATIONS)
const DOCS_BY_ID = new Map([...OPERATIONS].map(([operation, docs]) => [operationIdOf(operation), docs]))

/** Describes a route by its entry in {@link OPERATIONS}. Proxied routes are omitted. */
const describeRoute: Transform = ({ schema, url, route }) => {
  const given = (schema ?? {}) as FastifySchema & { description?: string; summary?: string }
  const { operation = '' } = route.config ?? {}
  const docs = OPERATIONS.get(operation)
  if (docs === undefined) return { schema: { ...given, hide: isHidden(given) || isProxy(operation) }, url }
  const status = NO_BODY_STATUS.get(operation)
  const bodies = AUTH_BODIES.get(operation) ?? (status && { answers: { [status]: null } })
  const scope = SCOPE_OF.get(operation)
  const texts = [
    given.description ?? callersOf(docs.audience),
    scope && `Personal access tokens need the scope \`${scope}\`.`,
  ]
  const description = texts.filter((text) => text !== undefined).join(' ')
  return {
    url,
    schema: {
      ...given,
      ...(bodies !== undefined && 'body' in bodies ? { body: bodies.body } : {}),
      ...(bodies === undefined ? {} : { response: answersOf(bodies.answers) }),
      ...(description === '' ? {} : { description }),
      ...(IF_MATCH_OPERATIONS.has(operation) ? { headers: IF_MATCH } : {}),
      operationId: operationIdOf(operation),
      summary: given.summary ?? docs.summary,
      security: docs.audience === 'anyone' ? [{}, BEARER] : [BEARER],
    } as FastifySchema,
  }
}

const isHidden = (schema: FastifySchema): boolean => 'hide' in schema && schema.hide === true
const isProxy = (operation: string): boolean => operation.startsWith('gateway.proxy.')

const answersOf = (answers: Readonly<Record<number, TSchema | null>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      schema ?? { description: 'No body', type: 'null' },
    ]),
  )

/** Adds an operation's possible error responses, as references to shared components. */
const addRefusals: TransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject
  const { openapiObject } = document
  const responses: Record<string, Refusal> = {}
  for (const [path, methods] of Object.entries(openapiObject.paths ?? {})) {
    for (const operation of Object.values(methods ?? {}) as Operation[]) {
      const refusals = refusalsOf(operation).map(([status, name]): [string, object] => {
        const component = componentOf(path, name)
        responses[component.name] = component.response
        return [status, { $ref: `#/components/responses/${component.name}` }]
      })
      if (ETAG_IDS.has(operation.operationId ?? '')) addETag(operation)
      operation.responses = { ...Object.fromEntries(refusals), ...operation.responses }
    }
  }
  const components = { ...openapiObject.components, responses }
  return { ...openapiObject, components } as typeof openapiObject
}

function addETag({ responses = {} }: Operation): void {
  if (responses['200'] !== undefined) Object.assign(responses['200'], { headers: ETAG })
}

/** The component of an error response. `/auth/v1` has its own error format. */
function componentOf(path: string, name: RefusalName): { name: string; response: Refusal } {
  const isAuth = path.startsWith('/auth/v1/')
  const content = { 'application/json': { schema: isAuth ? AuthErrorBody : ErrorBody } }
  return { name: isAuth ? `Auth${name}` : name, response: { description: REFUSALS[name], content } }
}

function refusalsOf({
  operationId = '',
  parameters = [],
  requestBody,
}: Operation): [status: string, RefusalName][] {
  const isForAnyone = DOCS_BY_ID.get(operationId)?.audience === 'anyone'
  const hasInput = parameters.length > 0 || requestBody !== undefined
  const refusals: [string, RefusalName, boolean][] = [
    ['400', 'BadRequest', hasInput],
    ['401', 'Unauthorized', !isForAnyone],
    ['403', 'Forbidden', !isForAnyone],
    ['404', 'NotFound', parameters.some((parameter) => parameter.in === 'path')],
    ['412', 'PreconditionFailed', IF_MATCH_IDS.has(operationId)],
    ['429', 'TooManyRequests', true],
  ]
  return refusals.flatMap(([status, name, applies]) => (applies ? [[status, name]] : []))
}

/** Options of `@fastify/swagger`. OpenAPI 3.1, because TypeBox generates JSON Schema 2020-12. */
export const openApiOptions = (name: string): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: `Looptide ${name}`,
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The access token of a session (`/auth/v1/token`). Operations that name a scope also accept a personal access token (`looptide_pat_…`, created in the profile) that has it.',
        },
      },
    },
  },
  transform: describeRoute,
  transformObject: addRefusals,
})
