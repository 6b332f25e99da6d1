import { serviceNames } from '@looptide/backing/service-names'
import { PasswordGrantBody, PkceGrantBody, RefreshGrantBody } from '@looptide/contracts/http/auth'
import { until } from '@looptide/testkit/until'
import type { JsonSchema } from './schema-values.ts'

/** A value of a path or query parameter. */
export interface Place {
  name: string
  schema: JsonSchema
  required: boolean
}

/** A route, from the OpenAPI description of its service. */
export interface Route {
  /** `GET /api/videos/{id}` */
  name: string
  method: string
  path: string
  /** The process that serves it. */
  owner: string
  params: Place[]
  query: Place[]
  /** Undefined if the route has no JSON body. */
  body: JsonSchema | undefined
}

interface Parameter {
  in: string
  name: string
  required?: boolean
  schema?: JsonSchema
}

interface Operation {
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: JsonSchema }> }
}

interface Description {
  paths: Record<string, Record<string, Operation>>
}

/** The body of `POST /auth/v1/token` depends on its query, which OpenAPI cannot express. */
const GRANTS = { password: PasswordGrantBody, refresh_token: RefreshGrantBody, pkce: PkceGrantBody }

const tokenRoutes = (): Route[] =>
  Object.entries(GRANTS).map(([grant, body]) => ({
    name: `POST /auth/v1/token?grant_type=${grant}`,
    method: 'POST',
    path: `/auth/v1/token?grant_type=${grant}`,
    owner: 'auth',
    params: [],
    query: [],
    body: body as JsonSchema,
  }))

/** All public routes of a running station, from its OpenAPI document. */
export async function readRoutes(stationUrl: string): Promise<Route[]> {
  const { paths } = await until('the OpenAPI document has every service', async () => {
    const description = (await (await fetch(`${stationUrl}/docs/json`)).json()) as Description
    const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods))
    const tags = new Set(operations.flatMap((operation) => operation.tags ?? []))
    return serviceNames.every((owner) => tags.has(owner)) ? description : undefined
  })
  const described = Object.entries(paths)
    // A path that ends in a slash or a star is proxied to a service, which documents its own routes.
    .filter(([path]) => /^\/(api|auth|realtime\/v1\/api)\//.test(path) && !/[*/]$|\{\*\}/.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => routeOf(method.toUpperCase(), path, operation)),
    )
  return [...described, ...tokenRoutes()]
}

function routeOf(method: string, path: string, { tags, parameters = [], requestBody }: Operation): Route {
  const places = (where: string): Place[] =>
    parameters
      .filter((parameter) => parameter.in === where)
      .map(({ name, schema = { type: 'string' }, required = false }) => ({ name, schema, required }))
  return {
    name: `${method} ${path}`,
    method,
    path,
    owner: tags?.[0] ?? '',
    params: places('path'),
    query: places('query'),
    body: requestBody?.content?.['application/json']?.schema,
  }
}
