import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:https'
import type { HealthReport } from '@looptide/contracts/http/admin'
import type { NowState } from '@looptide/contracts/http/channels'
import type { ChatPage } from '@looptide/contracts/http/chat'
import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { internalFetch, useInternalTls } from '@looptide/service-kit/tls/internal-client'
import { InternalTls } from '@looptide/service-kit/tls/internal-tls'
import { startTestStation, type TestStation, testAdmin } from '@looptide/test-station/station'
import type { Backing } from '@looptide/testkit/backing'
import { contentsOf, TestAuthority, type TestCertificate } from '@looptide/testkit/certificates'
import { bearerOf } from '@looptide/testkit/client'
import { startNats } from '@looptide/testkit/nats'
import { startRedis } from '@looptide/testkit/redis'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'

const CHANNEL = 'test-card'

let authority: TestAuthority
let certificate: TestCertificate
let stores: Backing[] = []
let station: TestStation

beforeAll(async () => {
  authority = await TestAuthority.create()
  certificate = await authority.issue('station')
  useInternalTls(new InternalTls(certificate))
  const [redis, nats] = await Promise.all([
    startRedis(certificate),
    startNats(undefined, { tls: certificate, streams: false }),
  ])
  stores = [redis, nats]
  station = await startTestStation({
    env: {
      INTERNAL_TLS_CERT: certificate.cert,
      INTERNAL_TLS_KEY: certificate.key,
      INTERNAL_TLS_CA: certificate.ca,
      REDIS_URL: redis.url,
      NATS_URL: nats.url,
    },
  })
}, 180_000)
afterAll(async () => {
  await station?.stop()
  await Promise.all(stores.map((store) => store.stop()))
  useInternalTls(undefined)
  authority.remove()
})

async function post<T>(path: string, body: unknown, token?: string): Promise<{ status: number; body: T }> {
  const response = await internalFetch(station.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : bearerOf(token)),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as T }
}

const read = async <T>(path: string): Promise<T> =>
  (await (await internalFetch(station.url + path)).json()) as T

/** The status of a WebSocket's handshake. */
const handshake = (): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const url = `${station.url}/realtime/v1/websocket?apikey=${PUBLIC_API_KEY}&vsn=2.0.0`
    const call = request(url, {
      ca: contentsOf(certificate).ca,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    })
    call.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
    call.once('response', ({ statusCode }) => resolve(statusCode))
    call.once('error', reject)
    call.end()
  })

it('a station whose connections are encrypted signs in, shows what is on, and carries messages', async () => {
  expect(station.url).toMatch(/^https:/)
  const { email, password } = testAdmin
  const session = await post<{ access_token: string }>('/auth/v1/token?grant_type=password', {
    email,
    password,
  })
  expect(session.status).toBe(200)
  const now = await until('a programme is on', async () => {
    const state = await read<NowState>(`/api/channels/${CHANNEL}/now`)
    return state.programmes.length > 0 && state
  })
  expect(now.channelId).toBe(CHANNEL)
  const messages = `/api/chat/channels/${CHANNEL}/messages`
  const sent = await post(
    messages,
    { clientId: randomUUID(), message: 'encrypted' },
    session.body.access_token,
  )
  expect(sent.status).toBe(201)
  await until('the message is published', async () =>
    (await read<ChatPage>(messages)).items.some(({ message }) => message === 'encrypted'),
  )
  expect(await handshake()).toBe(101)
})

it('every service of it refuses a client without a certificate, and no service is reported as away', async () => {
  const { ca } = contentsOf(certificate)
  for (const [name, url] of Object.entries(station.urls)) {
    const status = await new Promise((resolve, reject) => {
      const call = request(`${url}/openapi.json`, { ca, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.once('error', reject)
      call.end()
    })
    expect(status, name).toBe(name === 'gateway' ? 200 : 403)
  }
  const health = await until('all services are checked', async () => {
    const { results } = await read<HealthReport>('/api/health')
    return results.every(({ healthy }) => healthy) && results.map(({ service }) => service)
  })
  expect(health).toEqual(expect.arrayContaining(['auth', 'chat', 'stream-scheduler']))
})
