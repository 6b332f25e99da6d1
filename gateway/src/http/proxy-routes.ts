import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import { type Operation, partsOfCall } from '@looptide/contracts/operation'
import { OPERATIONS } from '@looptide/contracts/operations/all'
import { SERVICES, type ServiceName } from '@looptide/contracts/service-names'
import type { SharedRoute } from '../fast-path/shared-responses.ts'

interface ProxyRoute {
  prefix: string
  service: ServiceName
  /** Stricter limit for large responses, in requests per client network and minute. */
  perMinute?: number
  /** Writes below this prefix change shared responses of the service. */
  invalidatesShared?: boolean
  heldCompressed?: boolean
}

const ALL = [...OPERATIONS.values()]

/** The service that owns the operations with these names. */
const SERVICE_OF: ReadonlyMap<string, ServiceName> = new Map(
  SERVICES.map((service) => [EVENT_SUBSCRIPTIONS[service].owner, service]),
)

/** Operations with a limit of their own: each is a prefix. */
const LIMITED = ALL.flatMap(({ name, call, perMinute, heldCompressed = false }): ProxyRoute[] => {
  const service = SERVICE_OF.get(name.slice(0, name.indexOf('.')))
  if (perMinute === undefined || service === undefined) return []
  return [{ prefix: partsOfCall({ call }).path, service, perMinute, heldCompressed }]
})

/** The service behind each path prefix. `/internal` is not listed and therefore unreachable. */
export const PROXY_ROUTES: readonly ProxyRoute[] = [
  { prefix: '/auth/v1', service: 'auth' },
  { prefix: '/.well-known/oauth-authorization-server', service: 'auth' },
  { prefix: '/api/me/likes', service: 'audience' },
  { prefix: '/api/me', service: 'auth' },
  { prefix: '/api/me/requests', service: 'audience' },
  { prefix: '/api/me/reminders', service: 'audience' },
  { prefix: '/api/me/push-subscriptions', service: 'audience' },
  { prefix: '/api/profiles', service: 'auth' },
  { prefix: '/api/users', service: 'auth' },
  { prefix: '/api/videos/:id/like', service: 'audience' },
  { prefix: '/api/videos', service: 'catalogue', invalidatesShared: true },
  { prefix: '/api/submissions', service: 'catalogue', invalidatesShared: true },
  { prefix: '/api/followed-lists', service: 'catalogue' },
  { prefix: '/api/search', service: 'catalogue' },
  { prefix: '/api/home', service: 'catalogue' },
  { prefix: '/api/curation', service: 'catalogue', invalidatesShared: true },
  { prefix: '/api/playlists', service: 'catalogue' },
  { prefix: '/api/channels/:id/requests', service: 'audience' },
  { prefix: '/api/channels/:id/polls', service: 'audience', invalidatesShared: true },
  { prefix: '/api/polls', service: 'audience' },
  { prefix: '/api/channels/:id/airings', service: 'audience' },
  { prefix: '/api/channels/:id/airings/report', service: 'stream-scheduler' },
  { prefix: '/api/channels/:id/airings/royalties.csv', service: 'stream-scheduler' },
  { prefix: '/api/channels/:id/watching', service: 'audience' },
  { prefix: '/api/requests', service: 'audience' },
  { prefix: '/api/channels', service: 'stream-scheduler', invalidatesShared: true },
  { prefix: '/api/guide', service: 'stream-scheduler' },
  { prefix: '/api/live-playlist', service: 'stream-scheduler', invalidatesShared: true },
  { prefix: '/api/chat', service: 'chat', invalidatesShared: true },
  { prefix: '/api/audit', service: 'admin-audit' },
  { prefix: '/api/webhooks', service: 'admin-audit' },
  { prefix: '/api/embeds', service: 'admin-audit', invalidatesShared: true },
  { prefix: '/api/theme', service: 'admin-audit', invalidatesShared: true },
  { prefix: '/api/metadata', service: 'metadata-worker' },
  ...SERVICES.map((service) => ({ prefix: `/api/dead-letters/${service}`, service })),
  ...LIMITED,
]

const isUnder = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

/** The start of a pattern of the URLs of an operation. */
const patternOf = (operation: Operation): string =>
  `^${partsOfCall(operation).path.replaceAll(/:\w+/g, '[^/?]+')}`

/** The operations below a prefix whose responses are the same for every client. They are cached in memory. */
export const sharedRoutesOf = ({ prefix }: Pick<ProxyRoute, 'prefix'>): SharedRoute[] =>
  ALL.flatMap((operation) => {
    const { shared } = operation
    if (shared === undefined || !isUnder(partsOfCall(operation).path, prefix)) return []
    const { unless, ...rule } = shared
    const query = unless === undefined ? '\\?' : `\\?(?!.*\\b${unless}=)`
    return [{ ...rule, pattern: new RegExp(`${patternOf(operation)}(${query}|$)`) }]
  })

const KEEPING_SHARED = ALL.filter(({ outdatesShared }) => outdatesShared === false).map(
  (operation) => new RegExp(`${patternOf(operation)}$`),
)

/** Whether a write is one after which shared responses are kept: its effect appears when they expire. */
export const keepsShared = (url: string): boolean => KEEPING_SHARED.some((pattern) => pattern.test(url))
