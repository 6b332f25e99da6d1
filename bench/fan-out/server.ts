/**
 * The server under test, in its own process: the hub behind the gateway's real socket route, or a plain `ws` server
 * that sends each message to each socket. Both receive messages on the same kind of TCP connection, one text per
 * line, so that only the fan-out differs.
 */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { buildServer } from '@looptide/service-kit/http/server'
import type { AccessList } from '@looptide/service-kit/identity/access-list'
import { JwksTokenVerifier } from '@looptide/service-kit/identity/tokens'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { createMetrics } from '@looptide/service-kit/telemetry/metrics'
import { TEST_ISSUER } from '@looptide/testkit/identity'
import { WebSocketServer } from 'ws'
import { ReactionCounter } from '../../gateway/src/channels/reaction-counter.ts'
import { ClientReader } from '../../gateway/src/limits/client-reader.ts'
import { SocketAdmission } from '../../gateway/src/limits/socket-admission.ts'
import { Hub } from '../../gateway/src/realtime/hub.ts'
import { fanOutOptions, hubLimits } from '../../gateway/src/realtime/hub-limits.ts'
import { createHubMetrics } from '../../gateway/src/realtime/hub-metrics.ts'
import { IdentityChecker } from '../../gateway/src/realtime/identity.ts'
import { broadcastJson } from '../../gateway/src/realtime/protocol/codec.ts'
import { noPeers } from '../../gateway/src/realtime/topic/topic-peers.ts'
import { websocketRoute } from '../../gateway/src/realtime/websocket-route.ts'
import { CHANNEL, frameText, snapshotText } from './messages.ts'

/** There is no other gateway, whose reports would be received. */
const ONE_GATEWAY = {
  id: 'bench',
  send: () => undefined,
  subscribe: () => ({ unsubscribe: () => undefined }),
  recordActivity: () => true,
  listen: () => undefined,
}

type Publish = (payloadJson: string) => void

const [mode, authUrl = ''] = process.argv.slice(2)

async function startHub(): Promise<{ port: number; publish: Publish }> {
  const logger = createLogger('bench', 'silent')
  const metrics = createMetrics('bench')
  const access: AccessList = {
    loaded: true,
    isRevoked: () => false,
    roleOf: () => 'user',
    staffNeedsFactor: false,
    onChange: () => () => undefined,
  }
  const verifier = new JwksTokenVerifier(`${authUrl}/auth/v1/.well-known/jwks.json`, TEST_ISSUER)
  const bytes = Buffer.from(snapshotText())
  const programmes = { head: '{"lastSeq":1', shared: { version: 1, name: ',"state":', bytes }, tail: '}' }
  const lastSeq = { head: '{"lastSeq":1', shared: null, tail: '}' }
  const reactions = new ReactionCounter({
    peers: ONE_GATEWAY,
    airingOf: () => 'a programme',
    publish: (channelId, sums) =>
      hub.publishJson(`stream:${channelId}`, broadcastJson('reactions', JSON.stringify(sums))),
    now: Date.now,
  })
  const hub = new Hub({
    onRefusedRole: () => undefined,
    identities: new IdentityChecker(verifier, access),
    channels: {
      exists: () => true,
      snapshot: ({ kind }) => (kind === 'stream' ? programmes : lastSeq),
      timeline: () => ({ timelineVersion: 1, status: 'live' }),
    },
    isHealthy: () => true,
    addReaction: (socket, channelId, emoji) => reactions.add(socket, channelId, emoji),
    peers: noPeers,
    limits: hubLimits(1, 100_000),
    fanOut: fanOutOptions(1),
    metrics: createHubMetrics(metrics.registry),
    logger,
    now: Date.now,
  })
  hub.start()
  reactions.start()
  const app = buildServer({ name: 'bench', logger, metrics })
  await websocketRoute(app, {
    hub,
    requireHttps: false,
    allowedOrigins: [],
    maxSockets: () => 100_000,
    clients: new ClientReader(0),
    // All viewers of a benchmark have one address.
    admission: new SocketAdmission({ maxPerNetwork: 100_000, now: () => performance.now() }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    publish: (payloadJson) => hub.publishJson(`chat:${CHANNEL}`, broadcastJson('message', payloadJson)),
  }
}

async function startBare(): Promise<{ port: number; publish: Publish }> {
  const http = createHttpServer()
  const server = new WebSocketServer({ server: http, perMessageDeflate: false })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const publish: Publish = (payloadJson) => {
    const text = frameText(payloadJson)
    for (const client of server.clients) client.send(text)
  }
  return { port, publish }
}

const { port, publish } = await (mode === 'hub' ? startHub() : startBare())
const feed = createServer((socket) => createInterface({ input: socket }).on('line', publish))
feed.listen(0, '127.0.0.1', () => process.send?.({ port, feedPort: (feed.address() as AddressInfo).port }))
process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ heapKib: heapUsed / 1024, externalKib: external / 1024 })
})
