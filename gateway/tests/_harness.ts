import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import type { AirLogEntry, NowState } from '@looptide/contracts/http/channels'
import { connect, type NatsConnection } from '@looptide/service-kit/events/nats-client'
import { issuerOf } from '@looptide/service-kit/identity/tokens'
import { startProcess } from '@looptide/service-kit/process/start-process'
import type { Backing } from '@looptide/testkit/backing'
import { announceEvent, eventKeyEnv } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { startRedis } from '@looptide/testkit/redis'
import { until } from '@looptide/testkit/until'
import { type GatewayConfig, loadConfig } from '../src/config.ts'
import { gatewayProcess, type RunningGateway } from '../src/gateway.ts'
import { type StubResponse, type StubService, startStub } from './_stub-service.ts'

/** A programme of the channels that the harness has at first: longer than the tests of a file take. */
export const LONG_MS = 3_600_000

/** A channel's state in the scheduler's format: programmes of a minute, or of another length. Half of the first one is over. */
export function nowState(channelId: string, changes: Partial<NowState> = {}, programmeMs = 60_000): NowState {
  const nowMs = Date.now()
  const programmes = Array.from({ length: 150 }, (_, index) => ({
    id: `p${index}`,
    channelId,
    seq: index,
    videoId: randomUUID(),
    startsAtMs: nowMs + (index - 0.5) * programmeMs,
    endsAtMs: nowMs + (index + 0.5) * programmeMs,
    block: null,
    kind: 'video' as const,
    reason: null,
    video: {
      id: randomUUID(),
      title: `Song ${index}`,
      artistName: 'Artist',
      genre: 'Pop',
      description: '',
      duration: '1:00',
      durationMs: 60_000,
      startAtMs: 0,
      mediaDurationMs: 60_000,
      thumbnailUrl: 'https://i.ytimg.com/vi/a/hqdefault.jpg?x=1&y=2',
      youtubeId: null,
      mediaUrl: '/test-card/a.mp4',
    },
  }))
  return { channelId, status: 'live', timelineVersion: 1, serverNowMs: nowMs, programmes, ...changes }
}

/** A gateway with real NATS and Redis, and stubs of the services. */
export interface GatewayHarness {
  gateway: RunningGateway
  nats: NatsConnection
  backing: { nats: Backing; redis: Backing }
  identity: TestIdentity
  scheduler: StubService
  chat: StubService
  catalogue: StubService
  admin: StubService
  /** The channels that the scheduler stub knows. */
  channels: Map<string, NowState>
  /** Names of channels; the default is the id. */
  names: Map<string, string>
  /** Past programmes of each channel, newest first. */
  airLog: Map<string, AirLogEntry[]>
  /** Sequence number of the newest chat message, in every channel. */
  lastSeq: number
  /** Difference between the scheduler's clock and this machine's, in ms. */
  schedulerOffsetMs: number
  config: GatewayConfig
  /** `ws://…/realtime/v1` */
  realtimeUrl: string
  publish<T extends EventType>(type: T, data: EventData<T>, actorId?: string): void
  revoke(user: { id: string; sessionId: string }): void
  close(): Promise<void>
}

const FIXED_SETTINGS = {
  PORT: '0',
  LOG_LEVEL: 'silent',
  SITE_URL: 'http://station.test',
  // The harness has no audience.
  REQUESTS: 'off',
  ...eventKeyEnv('gateway'),
}

export async function startGatewayHarness(env: Record<string, string> = {}): Promise<GatewayHarness> {
  const [nats, redis, identity] = await Promise.all([
    startNats(),
    startRedis(),
    startIdentity(undefined, issuerOf(FIXED_SETTINGS.SITE_URL)),
  ])
  const stubs = await Promise.all([startStub(), startStub(), startStub(), startStub()])
  const [scheduler, chat, catalogue, admin] = stubs
  const webRoot = await buildWebRoot()
  const config = loadConfig({
    ...FIXED_SETTINGS,
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    AUTH_URL: identity.authUrl,
    CATALOGUE_URL: catalogue.url,
    SCHEDULER_URL: scheduler.url,
    CHAT_URL: chat.url,
    ADMIN_AUDIT_URL: admin.url,
    INTERNAL_TOKEN: identity.internalToken,
    WEB_ROOT: webRoot,
    ...env,
  })
  const client = await connect({
    servers: nats.url.slice('nats://'.length),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  })
  const gateway = await startProcess(gatewayProcess(config))
  const channels = new Map(['default', 'test-card'].map((id) => [id, nowState(id, {}, LONG_MS)] as const))
  const harness: GatewayHarness = {
    gateway,
    nats: client,
    backing: { nats, redis },
    identity,
    scheduler,
    chat,
    catalogue,
    admin,
    ...{ channels, names: new Map(), airLog: new Map() },
    lastSeq: 7,
    schedulerOffsetMs: 0,
    config,
    realtimeUrl: `${gateway.url.replace('http', 'ws')}/realtime/v1`,
    publish: (type, data, actorId) => announceEvent(client, envelope(type, data, actorId)),
    revoke: (user) => {
      const data = { userId: user.id, sessionIds: [user.sessionId], untilMs: Date.now() + 3_600_000 }
      harness.publish('auth.session.revoked.v1', data)
    },
    close: async () => {
      await gateway.close()
      await client.close()
      await Promise.all([...stubs, identity].map((part) => part.stop()))
      await Promise.all([nats.stop(), redis.stop(), rm(webRoot, { recursive: true })])
    },
  }
  scheduler.respond = ({ url = '' }) => schedulerResponse(harness, url)
  chat.respond = () => chatResponse(harness)
  await until('the access list is loaded', () => isReady(gateway))
  return harness
}

/** A channel's newest messages: none, up to the harness's sequence number. */
const chatResponse = ({ lastSeq }: GatewayHarness): StubResponse => ({
  status: 200,
  body: { items: [], lastSeq, removedIds: [], slowModeS: 0 },
})

/** The scheduler's response to the requests that a gateway sends. */
function schedulerResponse(harness: GatewayHarness, url: string): StubResponse {
  const { channels, names, airLog, schedulerOffsetMs } = harness
  if (url === '/api/channels') {
    const items = [...channels].map(([id, { status }], position) => ({
      ...{ id, name: names.get(id) ?? id, description: null, position, status },
      ...{ isActive: true, shuffleEnabled: false },
    }))
    return { status: 200, body: { items, nextCursor: null } }
  }
  const logged = /^\/api\/channels\/([^/]+)\/air-log\?limit=50$/.exec(url)?.[1]
  if (logged !== undefined)
    return { status: 200, body: { items: airLog.get(logged) ?? [], nextCursor: null } }
  const state = channels.get(/^\/api\/channels\/([^/]+)\/now$/.exec(url)?.[1] ?? '')
  if (state === undefined) return { status: 404, body: { code: 'not_found' } }
  return { status: 200, body: { ...state, serverNowMs: Date.now() + schedulerOffsetMs } }
}

async function isReady(gateway: RunningGateway): Promise<boolean> {
  const response = await fetch(`${gateway.metricsUrl}/readyz`)
  const { checks } = (await response.json()) as { checks: { ok: boolean }[] }
  return checks.every(({ ok }) => ok)
}

/** The parts of a built page that the gateway uses. */
export const WEB_PAGE = `<!doctype html><head><!--page--><title>Looptide</title><!--/page-->
<meta property="csp-nonce" nonce="__CSP_NONCE__"></head><body><div id="root"></div></body>`

async function buildWebRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'looptide-web-'))
  await mkdir(join(root, 'assets'))
  await mkdir(join(root, 'test-card'))
  await mkdir(join(root, '.vite'))
  await writeFile(join(root, 'index.html'), WEB_PAGE)
  for (const page of ['cast', 'embed', 'tv']) await writeFile(join(root, `.vite/${page}.html`), WEB_PAGE)
  await writeFile(join(root, 'assets/app-abc123.js'), 'export {}')
  await writeFile(join(root, 'test-card/a.mp4'), Buffer.from('0123456789'))
  return root
}

function envelope<T extends EventType>(
  type: T,
  data: EventData<T>,
  actorId: string | null = null,
): Envelope<T> {
  const occurredAt = new Date().toISOString()
  const ids = { id: randomUUID(), correlationId: null, aggregateId: 'a', aggregateVersion: 1 }
  return { ...ids, type, occurredAt, actorId, data }
}
