import fc from 'fast-check'
import { isBadBody, isBadText } from './fits.ts'
import { hostileJson, hostileTexts } from './hostile-texts.ts'
import type { Place, Route } from './routes.ts'
import { type Ingredients, type JsonSchema, valuesOf } from './schema-values.ts'

/** The sender of a request. `operator` has the service key. */
export const REQUESTERS = ['nobody', 'user', 'admin', 'operator'] as const
export type Requester = (typeof REQUESTERS)[number]

/** A request to send. `path` and `body` are sent unchanged, even if they are malformed. */
export interface HostileRequest {
  requester: Requester
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

interface Parts {
  params: Record<string, string>
  query: readonly (readonly [string, string])[]
  headers: Record<string, string>
  body: string | undefined
}

/** Percent-encodes a text. Lone surrogates become their three bytes, which are not valid UTF-8. */
function encoded(text: string): string {
  return [...text].map((piece) => (piece.isWellFormed() ? encodeURIComponent(piece) : '%ED%A0%80')).join('')
}

/** Malformed percent-encodings for a URL. */
const MISSPELT = [
  '%',
  '%zz',
  '%00',
  '%FF%FE',
  '%ED%A0%80',
  '%C0%AE%C0%AE',
  '%2e%2e',
  '%2F',
  '%5C..%5C',
  '%0d%0aX:1',
  '%25%32%65',
  '+',
  ';',
  '[]',
  '%E2%80%AE',
] as const

const hostileInAddress = ({ bait }: Ingredients): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: hostileTexts(bait).map((text) => encoded(text.slice(0, 2000))), weight: 3 },
    { arbitrary: fc.constantFrom(...MISSPELT), weight: 1 },
  )

const placed = (places: readonly Place[], from: Ingredients): Record<string, fc.Arbitrary<string>> =>
  Object.fromEntries(
    places.map(({ name, schema }) => [name, valuesOf(schema, from).map((value) => encoded(String(value)))]),
  )

/** Requests that are valid by their OpenAPI description. */
function fitting(route: Route, from: Ingredients): fc.Arbitrary<Parts> {
  const required = route.query.filter((place) => place.required).map(({ name }) => name)
  return fc.record({
    params: fc.record(placed(route.params, from), { noNullPrototype: true }),
    query: fc
      .record(placed(route.query, from), { requiredKeys: required, noNullPrototype: true })
      .map((query) => Object.entries(query)),
    headers: fc.constant({}),
    body:
      route.body === undefined
        ? fc.constant(undefined)
        : valuesOf(route.body, from).map((it) => JSON.stringify(it)),
  })
}

/** Adds a fault to a request. */
type Fault = (parts: Parts) => Parts

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'admin',
  'role',
  'isAdmin',
  'id',
  '$where',
  '',
] as const

/** Faults in a path or query. */
function addressFaults(route: Route, from: Ingredients): fc.Arbitrary<Fault>[] {
  const value = hostileInAddress(from)
  const ofParams = route.params.map((place) =>
    value.map(
      (text): Fault =>
        (parts) => ({ ...parts, params: { ...parts.params, [place.name]: text } }),
    ),
  )
  const ofQuery = route.query.map((place) =>
    value.map(
      (text): Fault =>
        (parts) => ({
          ...parts,
          query: [...parts.query.filter(([name]) => name !== place.name), [place.name, text]],
        }),
    ),
  )
  const more = fc.tuple(fc.constantFrom(...NAMES, ...route.query.map(({ name }) => name)), value)
  const added = more.map(
    (pair): Fault =>
      (parts) => ({ ...parts, query: [...parts.query, pair] }),
  )
  return [...ofParams, ...ofQuery, added]
}

/** Adds a member to the text of a JSON object. If the name occurs twice, the last one counts. */
const withMember = (text: string, name: string, value: string): string =>
  text.startsWith('{') && text.endsWith('}')
    ? `${text.slice(0, -1)}${text === '{}' ? '' : ','}${JSON.stringify(name)}:${value}}`
    : value

function bodyFaults(schema: JsonSchema, from: Ingredients): fc.Arbitrary<Fault>[] {
  const names = Object.keys(schema.properties ?? {})
  const value = hostileJson(from.bait)
  const put =
    (text: string): Fault =>
    (parts) => ({ ...parts, body: text })
  const member = fc.tuple(fc.constantFrom(...NAMES, ...names), value)
  const missing = fc.constantFrom('', ...names)
  return [
    value.map(put),
    member.map(
      ([name, json]): Fault =>
        (parts) => ({ ...parts, body: withMember(parts.body ?? '{}', name, json) }),
    ),
    missing.map(
      (name): Fault =>
        (parts) => ({ ...parts, body: without(parts.body ?? '{}', name) }),
    ),
    fc.nat({ max: 40 }).map(
      (cut): Fault =>
        (parts) => ({ ...parts, body: (parts.body ?? '{}').slice(0, -1 - cut) }),
    ),
  ]
}

/** Removes a member from the text of a JSON object. Other texts stay unchanged. */
function without(text: string, name: string): string {
  try {
    const { [name]: _gone, ...rest } = JSON.parse(text) as Record<string, unknown>
    return JSON.stringify(rest)
  } catch {
    return text
  }
}

/** Headers whose values do not make a request invalid. No value may cause a 5xx response. */
const HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json; charset=utf-8; x="' },
  { 'content-type': 'x' },
  { 'content-encoding': 'gzip' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer x' },
  { authorization: 'Basic YWRtaW46YWRtaW4=' },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.' },
  { 'x-internal-token': 'guess' },
  { 'x-request-id': '<script>' },
  { 'x-forwarded-for': "127.0.0.1, ' or 1=1" },
  { 'x-forwarded-host': 'evil.test' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-original-url': '/internal/access' },
  { 'x-supabase-api-version': '9999-99-99' },
  { 'if-none-match': '*' },
  { 'if-match': '*' },
  { 'if-match': '"' },
  { 'if-match': 'W/"x", , "\xff' },
  { range: 'bytes=0-,0-,0-,0-,0-' },
  { accept: 'text/\xff' },
  { traceparent: '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff' },
  { cookie: `x=${'y'.repeat(4000)}` },
  { 'user-agent': '\xa0\xff'.repeat(200) },
  { origin: 'null' },
]

const headerFaults = (): fc.Arbitrary<Fault> =>
  fc.constantFrom(...HEADERS).map(
    (more): Fault =>
      (parts) => ({ ...parts, headers: { ...parts.headers, ...more } }),
  )

function finished(
  route: Route,
  requester: Requester,
  { params, query, headers, body }: Parts,
): HostileRequest {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? '')
  const pairs = query.map(([name, value]) => `${encoded(name)}=${value}`)
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  return {
    requester,
    method: route.method,
    path: pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`,
    headers: { ...json, ...headers },
    body,
  }
}

/** Any request: valid, or with up to three faults. */
export function anyRequests(
  route: Route,
  requesters: readonly Requester[],
  from: Ingredients,
): fc.Arbitrary<HostileRequest> {
  const faults = [
    ...addressFaults(route, from),
    ...(route.body === undefined ? [] : bodyFaults(route.body, from)),
    headerFaults(),
  ]
  return fc
    .tuple(
      fitting(route, from),
      fc.array(fc.oneof(...faults), { maxLength: 3 }),
      fc.constantFrom(...requesters),
    )
    .map(([parts, wrong, requester]) =>
      finished(
        route,
        requester,
        wrong.reduce((so, fault) => fault(so), parts),
      ),
    )
}

const FORGED = 'Bearer x.y.z'

/** Public reads may come from a cache. The gateway's own routes and `/auth/v1` check tokens only where they need one. */
const mindsTokens = ({ owner, path, method }: Route): boolean =>
  owner !== 'gateway' && path.startsWith('/api/') && method !== 'GET'

/** Whether the station must refuse it for every sender. Paths outside `/api` accept unknown parameters. */
function mustBeRefused(route: Route, { params, query, body, headers }: Parts): boolean {
  if (headers.authorization === FORGED) return true
  const isStrict = route.path.startsWith('/api/') && route.query.length > 0
  const names = query.map(([name]) => name)
  return (
    route.params.some((place) => isBadText(place, params[place.name] ?? '')) ||
    route.query.some((place) =>
      query.some(([name, text]) => name === place.name && isBadText(place, text)),
    ) ||
    (isStrict &&
      names.some((name, at) => names.indexOf(name) !== at || !route.query.some((it) => it.name === name))) ||
    (body !== undefined && isBadBody(route.body, body))
  )
}

/** A request with at least one fault that is refused for every sender. Undefined for a route that accepts all faults. */
export function badRequests(
  route: Route,
  requesters: readonly Requester[],
  from: Ingredients,
): fc.Arbitrary<HostileRequest> | undefined {
  const isStrict = route.path.startsWith('/api/') && route.query.length > 0
  const garbled = fc.constantFrom('{', '{"a":', 'nonsense', '[1,]', '"\\ud8', '\0', '{"__proto__":{"a":1}}')
  const forged: Fault = (parts) => ({ ...parts, headers: { ...parts.headers, authorization: FORGED } })
  const takesBody = route.method !== 'GET'
  const faults = [
    ...(route.params.length > 0 || isStrict ? addressFaults(route, from) : []),
    ...(route.body === undefined ? [] : bodyFaults(route.body, from)),
    ...(takesBody
      ? [
          garbled.map(
            (text): Fault =>
              (parts) => ({ ...parts, body: text }),
          ),
        ]
      : []),
    ...(mindsTokens(route) ? [fc.constant(forged)] : []),
  ]
  if (faults.length === 0) return undefined
  return fc
    .tuple(
      fitting(route, from),
      fc.array(fc.oneof(...faults), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...requesters),
    )
    .map(([parts, wrong, requester]) => ({ requester, parts: wrong.reduce((so, fault) => fault(so), parts) }))
    .filter(({ parts }) => mustBeRefused(route, parts))
    .map(({ parts, requester }) => finished(route, requester, parts))
}
