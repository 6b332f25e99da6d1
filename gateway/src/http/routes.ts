import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { HealthReport, ViewerReport } from '@looptide/contracts/http/admin'
import { ChannelParams } from '@looptide/contracts/http/channels'
import { PUBLIC_API_KEY, type WebConfig } from '@looptide/contracts/realtime'
import { willCompress } from '@looptide/service-kit/cached-text'
import { errors } from '@looptide/service-kit/errors'
import type { Readiness } from '@looptide/service-kit/health'
import type { App } from '@looptide/service-kit/server'
import type { ChannelStates } from '../channels/channel-states.ts'
import type { ViewerCounter } from '../channels/viewer-counts.ts'
import type { GatewayConfig } from '../config.ts'
import type { HealthBoard } from '../health/health-board.ts'
import type { LocalLimits } from './local-limits.ts'
import { Memo } from './memo.ts'
import { JSON_TYPE } from './ready-answer.ts'

/** GET /api/health: how every service does, from memory. */
export async function healthRoute(app: App, { board }: { board: HealthBoard }): Promise<void> {
  app.get(
    '/api/health',
    { schema: { response: { 200: HealthReport } }, config: { operation: 'gateway.health.read' } },
    async (_request, reply) => reply.header('cache-control', 'no-store').send({ results: board.results() }),
  )
}

/** GET /api/viewers: how many watch each channel, over all gateways, from memory. No secret: every viewer is told. */
export async function viewersRoute(
  app: App,
  { counter }: { counter: Pick<ViewerCounter, 'totals'> },
): Promise<void> {
  app.get(
    '/api/viewers',
    { schema: { response: { 200: ViewerReport } }, config: { operation: 'gateway.viewers.read' } },
    async (_request, reply) => reply.header('cache-control', 'no-store').send({ counts: counter.totals() }),
  )
}

/** What the web app must know before it starts. */
export const webConfig = (config: GatewayConfig): WebConfig => ({
  brand: config.brand,
  apiKey: PUBLIC_API_KEY,
  youtubeBaseUrl: config.youtubeBaseUrl,
  mailConfirmation: config.mailConfirmation,
  defaultChannelId: 'default',
  fallbackChannelId: 'test-card',
  firestick: config.firestick,
})

/** GET /api/config: the same, for those who ask. Pages have it in them. */
export async function configRoute(app: App, { config }: { config: GatewayConfig }): Promise<void> {
  const body = webConfig(config)
  app.get('/api/config', { config: { operation: 'gateway.config.read' } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(body),
  )
}

const compress = promisify(gzip)
/** So long (ms) who asks gets the bytes that were compressed for another: within what a way through the network varies by. */
const SAME_BYTES_MS = 20
/** States kept compressed: those asked for within that time. */
const MAX_COMPRESSED = 100

/** GET /api/channels/:id/now from memory: the scheduler may be away, and viewers many. */
export async function nowRoute(
  app: App,
  { states, limits }: { states: ChannelStates; limits: LocalLimits },
): Promise<void> {
  const compressed = new Memo<Buffer>({
    keepMs: () => SAME_BYTES_MS,
    max: MAX_COMPRESSED,
    now: () => performance.now(),
  })
  app.get(
    '/api/channels/:id/now',
    {
      schema: { params: ChannelParams },
      config: { operation: 'gateway.now.read' },
      onRequest: limits.hook('now'),
    },
    async (request, reply) => {
      const { id } = request.params
      const found = await states.load(id)
      if (found === 'absent') throw errors.notFound('This channel')
      const json = states.json(id)
      if (json === null) throw errors.unavailable('The programme')
      reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' }).type(JSON_TYPE)
      if (!willCompress(request, json)) return reply.send(json)
      const key = JSON.stringify([id, states.get(id)?.timelineVersion, states.get(id)?.status])
      const bytes = await compressed.of(key, () => compress(json))
      return reply.header('content-encoding', 'gzip').send(bytes)
    },
  )
}

/** What an orchestrator asks. Details and figures are on the inner port. */
export async function probeRoutes(app: App, { readiness }: { readiness: Readiness }): Promise<void> {
  const hidden = { schema: { hide: true } }
  app.get('/livez', hidden, async () => ({ alive: true }))
  app.get('/readyz', hidden, async (_request, reply) =>
    reply.status(readiness.ready ? 200 : 503).send({ ready: readiness.ready }),
  )
}
