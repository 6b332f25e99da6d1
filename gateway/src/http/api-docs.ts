import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { ServiceName } from '@looptide/contracts/service-names'
import { describeWebhooks } from '@looptide/contracts/webhook-events'
import type { App } from '@looptide/service-kit/http/app'
import { type CachedText, cachedText, sendCachedText } from '@looptide/service-kit/http/cached-text'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { stringify } from 'yaml'
import type { Upstreams } from '../config.ts'
import { JSON_TYPE } from '../fast-path/prepared-response.ts'
import type { LocalLimits } from './local-limits.ts'

interface OpenApi {
  info?: object
  paths?: Record<string, Record<string, { tags?: string[] }>>
  components?: Record<string, Record<string, unknown>>
}

/** Metadata of the merged description. */
const HEAD = {
  info: {
    title: 'Looptide',
    version: '1',
    description: 'The HTTP interface of a Looptide station.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
}
const TAGS = {
  gateway: 'Served by the gateway itself.',
  auth: 'Accounts, sessions, profiles and restrictions.',
  catalogue: 'Videos, home page, search, playlists and submissions.',
  'stream-scheduler': 'Channels, programmes, guides and channel playlists.',
  chat: 'Chat messages and settings.',
  audience: 'Requests of viewers and votes for them.',
  'admin-audit': 'Audit log, theme and webhooks.',
  'metadata-worker': 'Metadata of YouTube videos.',
} as const satisfies Record<ServiceName | 'gateway', string>
const WEBHOOKS = describeWebhooks('admin-audit')
const REFRESH_MS = 60_000
const RETRY_MS = 2000
const TIMEOUT_MS = 3000

/**
 * The OpenAPI description of all public endpoints: the gateway's own, and those of the services, fetched in the background
 * and kept while a service is down. It is rendered once after a change, not for each request.
 */
export class ApiDocs {
  readonly #upstreams: Upstreams
  /** The services' descriptions, as received and parsed. */
  readonly #documents = new Map<ServiceName, { text: string; document: OpenApi }>()
  #own: OpenApi = {}
  #json: CachedText | undefined
  #yaml: Promise<CachedText> | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(upstreams: Upstreams) {
    this.#upstreams = upstreams
  }

  start(): void {
    void this.#loop()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #loop(): Promise<void> {
    await this.fetchAll()
    if (this.#stopped) return
    const isComplete = this.#documents.size === Object.keys(this.#upstreams).length
    this.#timer = setTimeout(() => void this.#loop(), isComplete ? REFRESH_MS : RETRY_MS)
    this.#timer.unref()
  }

  async fetchAll(): Promise<void> {
    const entries = Object.entries(this.#upstreams) as [ServiceName, string][]
    await Promise.allSettled(
      entries.map(async ([service, url]) => {
        const response = await internalFetch(`${url}/openapi.json`, {
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        if (response.ok) this.#replace(service, await response.text())
      }),
    )
  }

  #replace(service: ServiceName, text: string): void {
    if (this.#documents.get(service)?.text === text) return
    this.#documents.set(service, { text, document: JSON.parse(text) as OpenApi })
    this.#changed()
  }

  #changed(): void {
    this.#json = undefined
    this.#yaml = undefined
  }

  /** Sets the description of the gateway's own endpoints. */
  describe(own: OpenApi): void {
    this.#own = own
    this.#changed()
  }

  json(): CachedText {
    this.#json ??= cachedText(JSON.stringify(this.#merged()))
    return this.#json
  }

  yaml(): Promise<CachedText> {
    this.#yaml ??= yamlOf(this.#merged()).then((text) => cachedText(text))
    return this.#yaml
  }

  /** One description of all public endpoints, each tagged with its service. */
  #merged(): OpenApi {
    const own = this.#own
    // In this order, whichever service answered first.
    const services = (Object.keys(this.#upstreams) as ServiceName[]).filter((name) =>
      this.#documents.has(name),
    )
    const names = ['gateway', ...services] as (keyof typeof TAGS)[]
    const tags = names.map((name) => ({ name, description: TAGS[name] }))
    const all = {
      ...{ ...own, ...HEAD, tags, webhooks: WEBHOOKS },
      paths: { ...tagged(own, 'gateway') },
      components: { ...own.components },
    }
    for (const service of services) {
      const { document = {} } = this.#documents.get(service) ?? {}
      Object.assign(all.paths, tagged(document, service))
      for (const [kind, parts] of Object.entries(document.components ?? {}))
        all.components[kind] = { ...parts, ...all.components[kind] }
    }
    return all
  }
}

function tagged({ paths = {} }: OpenApi, tag: string): NonNullable<OpenApi['paths']> {
  const isPublic = ([path]: [string, unknown]): boolean =>
    ['/api/', '/auth/', '/realtime/v1/api/'].some((prefix) => path.startsWith(prefix))
  const shown = Object.entries(paths).filter(isPublic)
  return Object.fromEntries(
    shown.map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, { ...operation, tags: [tag] }]),
      ),
    ]),
  )
}

/** Rendering all of it at once would take some tenths of a second, so each entry has its own turn of the event loop. */
async function yamlOf(description: OpenApi): Promise<string> {
  const lines: string[] = []
  for (const [name, value] of Object.entries(description)) {
    const entries = isGroup(name) ? Object.entries(value ?? {}) : []
    if (entries.length === 0) lines.push(stringify({ [name]: value }, YAML_OPTIONS))
    else lines.push(`${name}:\n`)
    for (const entry of entries) {
      lines.push(stringify(Object.fromEntries([entry]), YAML_OPTIONS).replace(/^(?=.)/gm, '  '))
      await nextTurn()
    }
  }
  return lines.join('')
}

const isGroup = (name: string): boolean => name === 'paths' || name === 'components'

/** Block scalars would depend on the indentation, and aliases only name equal parts. */
const YAML_OPTIONS = { aliasDuplicateObjects: false, blockQuote: false, lineWidth: 0 }

interface DocsRoutesOptions {
  docs: ApiDocs
  limits: LocalLimits
}

/** Swagger UI at `/docs`, and the description of all endpoints at `/docs/json` and `/docs/yaml`. */
export async function docsRoutes(app: App, { docs, limits }: DocsRoutesOptions): Promise<void> {
  app.addHook('onReady', async () => docs.describe(app.swagger() as OpenApi))
  const texts: Record<string, { type: string; text: () => CachedText | Promise<CachedText> }> = {
    '/docs/json': { type: JSON_TYPE, text: () => docs.json() },
    '/docs/yaml': { type: 'application/yaml; charset=utf-8', text: () => docs.yaml() },
  }
  const files = new SwaggerFiles()
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      limits.count('page', request)
      // Nobody resumes these files, and the plugin that sends them refuses invalid ranges.
      delete request.raw.headers.range
    })
    // The plugin's own handlers render the description, and read the files, for each request.
    scope.addHook('onRoute', (route) => {
      const found = texts[route.url]
      if (found !== undefined)
        route.handler = async (request, reply) => sendShared(request, reply, await found.text(), found.type)
      if (route.url === '/docs/static/*') route.handler = fileHandler(files, route.handler)
    })
    await scope.register(fastifySwaggerUi, { routePrefix: '/docs' })
  })
}

/** Sends the files that are kept, and leaves the others to `rest`. */
const fileHandler = (files: SwaggerFiles, rest: RouteHandlerMethod): RouteHandlerMethod =>
  async function (request, reply) {
    const { '*': name } = request.params as { '*': string }
    const file = await files.find(name)
    return file === undefined
      ? rest.call(this, request, reply)
      : sendShared(request, reply, file.text, file.type)
  }

const sendShared = (
  request: FastifyRequest,
  reply: FastifyReply,
  text: CachedText,
  type: string,
): Promise<FastifyReply> => sendCachedText(request, reply.header('cache-control', 'no-cache'), text, type)

/** The text files of Swagger UI. Its icons are small, and not worth compressing. */
const NAMES = [
  ...['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'swagger-ui.js', 'oauth2-redirect.js'],
  ...['swagger-ui.css', 'index.css', 'oauth2-redirect.html', 'logo.svg', 'csp.json'],
]
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')

/**
 * The text files of Swagger UI, read when they are first requested and then kept: reading and compressing the largest for
 * each request would cost ten times as much as sending it.
 */
class SwaggerFiles {
  readonly #files = new Map<string, CachedText>()

  /** A file with its media type. Undefined if it is none of these. */
  async find(name: string): Promise<{ text: CachedText; type: string } | undefined> {
    const type = NAMES.includes(name) ? TYPES[extname(name)] : undefined
    if (type === undefined) return undefined
    const text = this.#files.get(name) ?? cachedText(await readFile(join(FOLDER, name), 'utf8'))
    this.#files.set(name, text)
    return { text, type }
  }
}
