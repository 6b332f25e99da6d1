import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { ErrorBody } from '@looptide/contracts/errors'
import { AuthErrorBody } from '@looptide/contracts/http/auth-responses'
import { type Audience, type Operation, scopeOf } from '@looptide/contracts/operation'
import { rolesWith } from '@looptide/contracts/permissions'
import type { FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>

interface Refusal {
  description: string
  content: Record<string, { schema: TSchema }>
}

interface DescribedOperation {
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
  if (audience === 'anyone' || audience === 'user' || audience === 'internal') return undefined
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

/** Describes a route by the definition of its operation. Other routes are omitted. */
const describeRoute =
  (described: Map<string, Operation>): Transform =>
  ({ schema, url, route }) => {
    const given = (schema ?? {}) as FastifySchema
    const { definition } = route.config ?? {}
    if (definition === undefined || definition.audience === 'internal')
      return { schema: { ...given, hide: true }, url }
    const { name, audience, summary, input = {}, output } = definition
    const operationId = operationIdOf(name)
    described.set(operationId, definition)
    const scope = scopeOf(definition)
    const texts = [
      callersOf(audience),
      scope === null ? undefined : `Personal access tokens need the scope \`${scope}\`.`,
    ]
    const description = texts.filter((text) => text !== undefined).join(' ')
    return {
      url,
      schema: {
        ...given,
        ...(input.body === undefined ? {} : { body: input.body }),
        response: answersOf(output),
        ...(description === '' ? {} : { description }),
        ...(accepts(definition, 'If-Match') ? { headers: IF_MATCH } : {}),
        operationId,
        summary,
        security: audience === 'anyone' ? [{}, BEARER] : [BEARER],
      } as FastifySchema,
    }
  }

const accepts = (operation: Operation | undefined, header: 'ETag' | 'If-Match'): boolean =>
  operation?.versioned?.includes(header) === true

const answersOf = (output: Operation['output']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(output).map(([status, schema]) => [
      status,
      schema ?? { description: 'No body', type: 'null' },
    ]),
  )

/** Adds an operation's possible error responses, as references to shared components. */
const addRefusals =
  (described: ReadonlyMap<string, Operation>): TransformObject =>
  (document) => {
    if (!('openapiObject' in document)) return document.swaggerObject
    const { openapiObject } = document
    const responses: Record<string, Refusal> = {}
    for (const [path, methods] of Object.entries(openapiObject.paths ?? {})) {
      for (const operation of Object.values(methods ?? {}) as DescribedOperation[]) {
        const definition = described.get(operation.operationId ?? '')
        const refusals = refusalsOf(operation, definition).map(([status, name]): [string, object] => {
          const component = componentOf(path, name)
          responses[component.name] = component.response
          return [status, { $ref: `#/components/responses/${component.name}` }]
        })
        if (accepts(definition, 'ETag')) addETag(operation)
        operation.responses = { ...Object.fromEntries(refusals), ...operation.responses }
      }
    }
    const components = { ...openapiObject.components, responses }
    return { ...openapiObject, components } as typeof openapiObject
  }

function addETag({ responses = {} }: DescribedOperation): void {
  if (responses['200'] !== undefined) Object.assign(responses['200'], { headers: ETAG })
}

/** The component of an error response. `/auth/v1` has its own error format. */
function componentOf(path: string, name: RefusalName): { name: string; response: Refusal } {
  const isAuth = path.startsWith('/auth/v1/')
  const content = { 'application/json': { schema: isAuth ? AuthErrorBody : ErrorBody } }
  return { name: isAuth ? `Auth${name}` : name, response: { description: REFUSALS[name], content } }
}

function refusalsOf(
  { parameters = [], requestBody }: DescribedOperation,
  definition: Operation | undefined,
): [status: string, RefusalName][] {
  const isForAnyone = definition?.audience === 'anyone'
  const hasInput = parameters.length > 0 || requestBody !== undefined
  const refusals: [string, RefusalName, boolean][] = [
    ['400', 'BadRequest', hasInput],
    ['401', 'Unauthorized', !isForAnyone],
    ['403', 'Forbidden', !isForAnyone],
    ['404', 'NotFound', parameters.some((parameter) => parameter.in === 'path')],
    ['412', 'PreconditionFailed', accepts(definition, 'If-Match')],
    ['429', 'TooManyRequests', true],
  ]
  return refusals.flatMap(([status, name, applies]) => (applies ? [[status, name]] : []))
}

/** Options of `@fastify/swagger`. OpenAPI 3.1, because TypeBox generates JSON Schema 2020-12. */
export function openApiOptions(name: string): FastifyDynamicSwaggerOptions {
  const described = new Map<string, Operation>()
  return {
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
    transform: describeRoute(described),
    transformObject: addRefusals(described),
  }
}
