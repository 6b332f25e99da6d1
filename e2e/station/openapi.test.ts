import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TEXT_CLASSES } from '@looptide/contracts/text-fields'
import { startTestStation, type TestStation, testAdmin } from '@looptide/test-station/station'
import { until } from '@looptide/testkit/until'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonSchema } from '../support/fuzz/schema-values.ts'
import { CLIENT_SOURCE } from '../support/openapi-client.ts'
import { ALL_RULES, routeOf } from '../support/route-rules.ts'

interface Operation {
  operationId?: string
  summary?: string
  security?: Record<string, string[]>[]
  tags?: string[]
  responses?: Record<string, unknown>
  parameters?: { name: string; in: string; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}
type Paths = Record<string, Record<string, Operation>>

/** The output of `redocly lint --format=json`. */
interface Report {
  totals: { errors: number }
  problems: { ruleId: string }[]
}
/**
 * `jobs` and `filters` are in the place of a video's id (beside `…/views` and `…/like`), `quarantine` in that of a channel's (beside
 * `…/now`, `…/schedule`, `…/requests`, `…/polls`, `…/watching` and `…/airings`). Mailed links, the way to a provider and back, and the file that a channel plays always answer with a redirect.
 */
const ACCEPTED_WARNINGS = [...Array(9).fill('no-ambiguous-paths'), ...Array(4).fill('operation-2xx-response')]

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const binary = (name: string, folder = root): string => join(folder, 'node_modules/.bin', name)
/** Inside this package, so that the client finds `openapi-fetch`; Node strips no types there, so it is compiled. */
const CACHE = fileURLToPath(new URL('node_modules/.cache/openapi/', import.meta.url))
const SERVICES = 8

let station: TestStation
let folder: string
let document: { paths: Paths; tags: unknown[] }

beforeAll(async () => {
  await mkdir(CACHE, { recursive: true })
  folder = await mkdtemp(CACHE)
  station = await startTestStation({ processes: 'one' })
  document = await until('the OpenAPI documents of all services are merged', async () => {
    const merged = (await (await fetch(`${station.url}/docs/json`)).json()) as typeof document
    return merged.tags.length === SERVICES ? merged : undefined
  })
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document, null, 2))
})
afterAll(async () => {
  await station.stop()
  await rm(folder, { recursive: true })
})

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )

it('describes each operation with a unique id, a summary, its security and an error response', () => {
  const incomplete = operations().filter(([, { operationId, summary, security, responses = {} }]) => {
    const isRefused = Object.keys(responses).some((status) => status.startsWith('4'))
    return !operationId || !summary || security === undefined || !isRefused
  })
  expect(incomplete.map(([route]) => route)).toEqual([])
  const ids = operations().map(([, { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(operations().length).toBeGreaterThan(100)
})

it('does not contain proxy routes', () => {
  expect(Object.keys(document.paths).filter((path) => /[*]|\{\*\}|\/$/.test(path))).toEqual([])
})

/** The texts of a schema: the path of each, with its class. Enumerated texts need none. */
function textsOf(schema: JsonSchema, path: string): [path: string, format: string | undefined][] {
  if ('const' in schema || schema.enum !== undefined) return []
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((member) => textsOf(member, path))
  if (schema.type === 'string') return [[path, schema.format]]
  if (schema.type === 'array') return textsOf(schema.items ?? {}, `${path}/*`)
  const { properties = {}, patternProperties = {} } = schema
  return [
    ...Object.entries(properties).flatMap(([name, property]) => textsOf(property, `${path}/${name}`)),
    ...Object.values(patternProperties).flatMap((property) => textsOf(property, `${path}/*`)),
  ]
}

it('gives each text of a request a class, by which it is normalised', () => {
  const texts = operations().flatMap(([route, { parameters = [], requestBody }]) => [
    ...parameters
      .filter((parameter) => parameter.in !== 'header')
      .flatMap(({ name, schema }) => textsOf(schema, `${route} ${name}`)),
    ...Object.entries(requestBody?.content ?? {})
      .filter(([type]) => type === 'application/json')
      .flatMap(([, { schema }]) => textsOf(schema, route)),
  ])
  const classes = new Set(TEXT_CLASSES)
  expect(texts.filter(([, format]) => format === undefined || !classes.has(format))).toEqual([])
  expect(texts.length).toBeGreaterThan(200)
})

it('requires a token exactly where the access table requires an account', () => {
  const isForAnyone = new Map<string, boolean>()
  for (const [row, { audience }] of ALL_RULES)
    isForAnyone.set(routeOf(row), audience === 'anyone' || isForAnyone.get(routeOf(row)) === true)
  const wrong = operations().filter(
    ([route, { security = [] }]) =>
      security.some((scheme) => Object.keys(scheme).length === 0) !== isForAnyone.get(route),
  )
  expect(wrong.map(([route]) => route)).toEqual([])
})

it('passes the recommended rules of redocly lint', async () => {
  const file = join(folder, 'openapi.json')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const lint = run(binary('redocly', join(root, 'e2e')), ['lint', file, '--format=json'], { cwd: root, env })
  const { stdout } = await lint.catch((error: { stdout: string }) => error)
  const { totals, problems } = JSON.parse(stdout) as Report
  expect(totals.errors).toBe(0)
  expect(problems.map(({ ruleId }) => ruleId).toSorted()).toEqual(ACCEPTED_WARNINGS)
})

it('generates a typed client that signs in and posts a chat message', async () => {
  const types = await openapiTypescript(document as unknown as OpenAPI3)
  await Promise.all([
    writeFile(join(folder, 'schema.ts'), astToString(types)),
    writeFile(join(folder, 'client.mts'), CLIENT_SOURCE),
    writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TS_CONFIG)),
  ])
  await run(binary('tsc'), ['-p', folder])
  const { email, password } = testAdmin
  const { stdout } = await run(process.execPath, [join(folder, 'client.mjs'), station.url, email, password])
  const page = await fetch(`${station.url}/api/chat/channels/default/messages`)
  const { items } = (await page.json()) as { items: { id: string; message: string }[] }
  expect(items).toContainEqual(
    expect.objectContaining({ id: stdout.trim(), message: 'Hello from a typed client' }),
  )
})

const TS_CONFIG = {
  extends: join(root, 'tsconfig.base.json'),
  include: ['*.ts', '*.mts'],
  compilerOptions: { noEmit: false, rewriteRelativeImportExtensions: true },
}
