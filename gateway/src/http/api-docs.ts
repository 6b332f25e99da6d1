import fastifySwaggerUi from '@fastify/swagger-ui'
import type { App } from '@looptide/service-kit/http/app'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import type { ServiceName } from '../config.ts'

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
  'admin-audit': 'Audit log and theme.',
  'metadata-worker': 'Metadata of YouTube videos.',
} as const satisfies Record<ServiceName | 'gateway', string>
const REFRESH_MS = 60_000
const RETRY_MS = 2000
const TIMEOUT_MS = 3000

/** The services' OpenAPI descriptions, fetched in the background and kept while a service is down. */
export class ApiDocs {
  readonly #upstreams: Record<ServiceName, string>
  readonly #documents = new Map<ServiceName, OpenApi>()
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(upstreams: Record<ServiceName, string>) {
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
        if (response.ok) this.#documents.set(service, (await response.json()) as OpenApi)
      }),
    )
  }

  /** One description of all public endpoints: the gateway's own and each service's, tagged with its name. */
  merged(own: OpenApi): OpenApi {
    const names = ['gateway', ...this.#documents.keys()] as (keyof typeof TAGS)[]
    const tags = names.map((name) => ({ name, description: TAGS[name] }))
    const all = {
      ...{ ...own, ...HEAD, tags },
      paths: { ...tagged(own, 'gateway') },
      components: { ...own.components },
    }
    for (const [service, document] of this.#documents) {
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

/** Swagger UI at `/docs`, and the merged description at `/docs/json`. */
export async function docsRoutes(app: App, { docs }: { docs: ApiDocs }): Promise<void> {
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    transformSpecification: (own) => ({ ...docs.merged(own as OpenApi) }),
  })
}
