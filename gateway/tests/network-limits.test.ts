import type { IncomingMessage } from 'node:http'
import { createPersonalToken } from '@looptide/service-kit/identity/personal-token'
import { clientNetworkOf, SITE_FACTOR } from '@looptide/service-kit/limits/client-network'
import { bearerOf } from '@looptide/testkit/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_LIMITS, type LocalLimit } from '../src/http/local-limits.ts'
import { READS_PER_MINUTE, WRITES_PER_MINUTE } from '../src/http/proxy.ts'
import { PROXY_ROUTES } from '../src/http/proxy-routes.ts'
import { NetworkBuckets, scaledLimit } from '../src/limits/network-buckets.ts'
import { NetworkCounts } from '../src/limits/network-counts.ts'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

/** 6 proxied reads and 12 requests of any kind a minute; most other limits are one. */
const FACTOR = 0.001
const SOCKETS_PER_NETWORK = 2000

let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness({
    TRUST_PROXY: '1',
    RATE_LIMIT_FACTOR: String(FACTOR),
    MAX_SOCKETS_PER_NETWORK: String(SOCKETS_PER_NETWORK),
    // Otherwise its routes do not exist.
    REQUESTS: 'on',
  })
})
afterAll(() => harness.close())

/** Sends a request from an IP address and returns the status. */
type Send = (from: string) => Promise<number>

const request =
  (path: string, createInit: () => RequestInit = () => ({})): Send =>
  async (from) => {
    const init = createInit()
    const headers = { ...init.headers, 'x-forwarded-for': from }
    const response = await fetch(harness.gateway.url + path, { ...init, headers })
    await response.arrayBuffer()
    return response.status
  }

/** Opens a socket and closes it. */
const handshake: Send = async (from) => {
  const client = new RawClient(harness.realtimeUrl, undefined, { forwardedFor: from })
  const status = await new Promise<number>((resolve) => {
    client.socket.once('open', () => resolve(101))
    client.socket.once('unexpected-response', (_request, response: IncomingMessage) =>
      resolve(response.statusCode ?? 0),
    )
  })
  client.close()
  return status
}

const json = (body: string) => (): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
})
const withNewToken = (): RequestInit => ({
  headers: bearerOf(createPersonalToken().token),
})

const OWN: Record<LocalLimit, Send> = {
  any: request('/api/health'),
  now: request('/api/channels/default/now'),
  card: request('/api/cards?path=/admin'),
  page: request('/'),
  broadcast: request('/realtime/v1/api/broadcast', json('{"messages":[]}')),
  tokenExchange: request('/api/submissions', withNewToken),
  cspReport: request('/api/csp-reports', json('{}')),
}

interface Limit {
  name: string
  send: Send
  perNetwork: number
  /** Time in which a network may use its whole limit again, in seconds. */
  refillS: number
}

const LIMITS: readonly Limit[] = [
  ...Object.entries(OWN).map(([name, send]) => ({
    name,
    send,
    perNetwork: scaledLimit(LOCAL_LIMITS[name as LocalLimit], FACTOR),
    refillS: 60,
  })),
  ...[
    { name: 'proxied reads', send: request('/api/submissions'), perMinute: READS_PER_MINUTE },
    { name: 'proxied writes', send: request('/api/submissions', json('{}')), perMinute: WRITES_PER_MINUTE },
    ...PROXY_ROUTES.flatMap(({ prefix, perMinute }) =>
      perMinute === undefined ? [] : [{ name: prefix, send: request(prefix), perMinute }],
    ),
  ].map(({ name, send, perMinute }) => ({
    name,
    send,
    perNetwork: scaledLimit(perMinute, FACTOR),
    refillS: 60,
  })),
  { name: 'handshakes', send: handshake, perNetwork: SOCKETS_PER_NETWORK * FACTOR, refillS: 10 },
]

describe('the networks of an IPv6 /48', () => {
  it.each(LIMITS.map((limit, index) => ({ ...limit, index })))(
    'have four times the limit of one network: $name',
    async ({ send, perNetwork, refillS, index }) => {
      const perSite = perNetwork * SITE_FACTOR
      const startedAtMs = performance.now()
      let allowed = 0
      // A new /64 each time. Far above the limit, so that the loop ends if there is none.
      while ((await send(`2001:db8:${index}:${allowed.toString(16)}::1`)) !== 429 && allowed < perSite * 3)
        allowed += 1
      const elapsedS = (performance.now() - startedAtMs) / 1000
      expect(allowed).toBeGreaterThanOrEqual(perSite)
      expect(allowed).toBeLessThanOrEqual(perSite + (perSite * elapsedS) / refillS)
      expect(await send(`2001:db8:ff:${index}::1`)).not.toBe(429)
    },
  )

  it('have four times as many open connections as one network', () => {
    const counts = new NetworkCounts()
    let opened = 0
    while (!counts.isFull(clientNetworkOf(`2001:db8:1:${opened.toString(16)}::1`), 5) && opened < 100) {
      counts.opened(clientNetworkOf(`2001:db8:1:${opened.toString(16)}::1`))
      opened += 1
    }
    expect(opened).toBe(20)
    expect(counts.isFull(clientNetworkOf('2001:db8:2::1'), 5)).toBe(false)
  })

  it('cannot reset their limit, or that of other clients, by their number', () => {
    const buckets = new NetworkBuckets({ perSecond: 0, burst: 100 })
    const other = clientNetworkOf('192.0.2.1')
    while (buckets.take(other, 0) === 0);
    const sites = ['2001:db8:1', '2001:db8:2']
    const allowed = sites.map(
      (site) =>
        Array.from({ length: 65_536 }, (_, n) => clientNetworkOf(`${site}:${n.toString(16)}::1`)).filter(
          (client) => buckets.take(client, 0) === 0,
        ).length,
    )
    expect(allowed).toEqual([400, 400])
    expect(buckets.take(other, 0)).toBeGreaterThan(0)
    expect(buckets.size).toBeLessThan(1000)
  })
})
