import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import type { NowState } from '@looptide/contracts/http/channels'
import { connect, type NatsConnection } from '@looptide/service-kit/events/nats-client'
import { issuerOf } from '@looptide/service-kit/identity/tokens'
import { startProcess } from '@looptide/service-kit/process/start-process'
import type { Backing } from '@looptide/testkit/backing'
import { announceEvent, eventKeyEnv } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { startRedis } from '@looptide/testkit/redis'
import { until } from '@looptide/testkit/until'
import { type RawData, WebSocket } from 'ws'
import { type GatewayConfig, loadConfig } from '../src/config.ts'
import { gatewayProcess, type RunningGateway } from '../src/gateway.ts'

/** A `Buffer` is sent as it is, everything else as JSON. Without a body, an empty response without a content type. */
type StubResponse = { status: number; body?: unknown; headers?: Record<string, string> } | null

/** A stub of a service behind the gateway, over real HTTP, with responses that a test can change. */
interface StubService {
  url: string
  /** Every request that it received, newest last. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  /** URLs of the requests whose response was received completely, or fits into the buffers of the system. */
  answered: string[]
  /** Returns the response; null for a request that gets no response. */
  respond: (request: IncomingMessage, body: string) => StubResponse | Promise<StubResponse>
  /** Stops listening; {@link StubService.restart} listens on the same port again. */
  stop(): Promise<void>
  restart(): Promise<void>
}

async function startStub(): Promise<StubService> {
  const stub: StubService = {
    url: '',
    requests: [],
    answered: [],
    respond: () => ({ status: 200, body: {} }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    restart: () => listen(Number(new URL(stub.url).port)),
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { method = '', url = '', headers } = request
    if (url === '/readyz') return void response.end('{"ready":true,"checks":[]}')
    if (url === '/openapi.json') return void response.end(JSON.stringify(openApi))
    stub.requests.push({ method, url, headers, body })
    const stubResponse = await stub.respond(request, body)
    if (stubResponse === null) return
    response.once('finish', () => stub.answered.push(url))
    const { status, body: answer, headers: added } = stubResponse
    if (answer === undefined) return void response.writeHead(status, added).end()
    response
      .writeHead(status, { 'content-type': 'application/json', ...added })
      .end(answer instanceof Buffer ? answer : JSON.stringify(answer))
  }
  const server = createServer((request, response) => {
    // A client that disconnects within its body gets no response.
    handle(request, response).catch(() => response.destroy())
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return stub
}

const openApi = {
  paths: { '/api/videos': { get: { summary: 'Videos' } }, '/internal/guard': { post: { summary: 'No' } } },
}

/** A channel's state in the scheduler's format: one programme a minute, starting now. */
export function nowState(channelId: string, changes: Partial<NowState> = {}): NowState {
  const nowMs = Date.now()
  const programmes = Array.from({ length: 150 }, (_, index) => ({
    id: `p${index}`,
    channelId,
    seq: index,
    videoId: randomUUID(),
    startsAtMs: nowMs + (index - 1) * 60_000 + 30_000,
    endsAtMs: nowMs + index * 60_000 + 30_000,
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
  const channels = new Map(['default', 'test-card'].map((id) => [id, nowState(id)] as const))
  const harness: GatewayHarness = {
    gateway,
    nats: client,
    backing: { nats, redis },
    identity,
    scheduler,
    chat,
    catalogue,
    admin,
    channels,
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
function schedulerResponse({ channels, schedulerOffsetMs }: GatewayHarness, url: string): StubResponse {
  if (url === '/api/channels')
    return { status: 200, body: { items: [...channels.keys()].map((id) => ({ id })), nextCursor: null } }
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

export type Message = [string | null, string | null, string, string, Record<string, unknown>]

/** A WebSocket client that encodes version 2.0.0 itself, for frames that the libraries never send. */
export class RawClient {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  readonly binary: Buffer[] = []
  closed: { code: number; reason: string } | null = null
  #ref = 0

  constructor(realtimeUrl: string, query = 'apikey=k&vsn=2.0.0', options: { forwardedFor?: string } = {}) {
    const headers = options.forwardedFor === undefined ? {} : { 'x-forwarded-for': options.forwardedFor }
    this.socket = new WebSocket(`${realtimeUrl}/websocket?${query}`, { headers })
    this.socket.on('message', (data: RawData, isBinary) => {
      if (isBinary) this.binary.push(data as Buffer)
      else this.messages.push(JSON.parse(String(data)) as Message)
    })
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
    this.socket.on('error', () => undefined)
  }

  async open(): Promise<this> {
    await until('the socket is open', () => this.socket.readyState === WebSocket.OPEN)
    return this
  }

  /** Sends a frame and returns its ref. */
  send(topic: string, event: string, payload: unknown = {}, joinRef: string | null = null): string {
    this.#ref += 1
    this.socket.send(JSON.stringify([joinRef, String(this.#ref), topic, event, payload]))
    return String(this.#ref)
  }

  /** Joins a topic and returns the reply's payload and the join_ref. */
  async join(
    topic: string,
    payload: unknown = {},
  ): Promise<{ joinRef: string; status: string; response: Record<string, unknown> }> {
    this.#ref += 1
    const joinRef = String(this.#ref)
    this.socket.send(JSON.stringify([joinRef, joinRef, topic, 'phx_join', payload]))
    const { status, response } = await this.reply(joinRef)
    return { joinRef, status, response }
  }

  async reply(ref: string): Promise<{ status: string; response: Record<string, unknown> }> {
    const message = await this.find((m) => m[3] === 'phx_reply' && m[1] === ref)
    return message[4] as { status: string; response: Record<string, unknown> }
  }

  find(matches: (message: Message) => boolean): Promise<Message> {
    return until('the message is received', () => this.messages.find(matches))
  }

  /** The payload of the first broadcast of this event on a topic. */
  async broadcast(topic: string, event: string): Promise<Record<string, unknown>> {
    const isMatch = (m: Message): boolean => m[2] === topic && m[3] === 'broadcast' && m[4].event === event
    return (await this.find(isMatch))[4].payload as Record<string, unknown>
  }

  /** Resolves when everything sent so far is handled. Frames are handled in order. */
  async settled(): Promise<void> {
    await this.reply(this.send('phoenix', 'heartbeat'))
  }

  async whenClosed(): Promise<{ code: number; reason: string }> {
    return until('the socket is closed', () => this.closed)
  }

  close(): void {
    this.socket.terminate()
  }
}
