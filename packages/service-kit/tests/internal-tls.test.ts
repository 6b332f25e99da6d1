import { renameSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Backing } from '@looptide/testkit/backing'
import { contentsOf, TestAuthority, type TestCertificate } from '@looptide/testkit/certificates'
import { startNats } from '@looptide/testkit/nats'
import { startRedis } from '@looptide/testkit/redis'
import { startSentinelSet } from '@looptide/testkit/redis-sentinel'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRedis } from '../src/db/redis.ts'
import { connectNats } from '../src/events/nats.ts'
import { connect } from '../src/events/nats-client.ts'
import type { App } from '../src/http/app.ts'
import { addHealthRoutes } from '../src/http/health.ts'
import { buildServer } from '../src/http/server.ts'
import { requireClientCertificate } from '../src/process/service-process.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { internalFetch, useInternalTls } from '../src/tls/internal-client.ts'
import { InternalTls } from '../src/tls/internal-tls.ts'
import { logger } from './fixtures.ts'

let authority: TestAuthority
let stranger: TestAuthority
let ofService: TestCertificate
let ofClient: TestCertificate
let ofStranger: TestCertificate

beforeAll(async () => {
  ;[authority, stranger] = await Promise.all([TestAuthority.create(), TestAuthority.create()])
  ofService = await authority.issue('service')
  ofClient = await authority.issue('client')
  ofStranger = await stranger.issue('stranger')
})
afterAll(() => {
  authority.remove()
  stranger.remove()
})
afterEach(() => useInternalTls(undefined))

/** The error code of a failed `fetch`. */
const codeOf = async (response: Promise<unknown>): Promise<string | undefined> => {
  const error = await response.then(
    () => undefined,
    (reason: Error) => reason,
  )
  return (error?.cause as { code?: string } | undefined)?.code
}

/** A request of Node's own client; the status, or the error code. */
const statusWith = (url: string, certificate: Partial<ReturnType<typeof contentsOf>>) =>
  new Promise<number | string | undefined>((resolve) => {
    const call = request(url, { ...certificate, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    call.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    call.end()
  })

describe('a service with a certificate', () => {
  let app: App
  let tls: InternalTls
  let url: string
  beforeAll(async () => {
    tls = new InternalTls(ofService)
    app = buildServer({ name: 'test', logger, metrics: createMetrics('test'), tls })
    requireClientCertificate(app)
    addHealthRoutes(app, { readiness: { ready: true }, checks: [], metricsText: async () => '' })
    app.get('/internal/thing', { schema: { hide: true } }, async () => ({ answer: 'yes' }))
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  it('answers a client with a certificate of the same authority', async () => {
    useInternalTls(new InternalTls(ofClient))
    const response = await internalFetch(`${url}/internal/thing`)
    expect(await response.json()).toEqual({ answer: 'yes' })
  })

  it('refuses a client without a certificate, except for probes', async () => {
    const { ca } = contentsOf(ofClient)
    expect(await statusWith(`${url}/internal/thing`, { ca })).toBe(403)
    expect(await statusWith(`${url}/no/such/url`, { ca })).toBe(403)
    for (const path of ['/livez', '/readyz', '/metrics'])
      expect(await statusWith(url + path, { ca })).toBe(200)
  })

  it('refuses a client with a certificate of another authority', async () => {
    const { ca } = contentsOf(ofClient)
    const { cert, key } = contentsOf(ofStranger)
    expect(await statusWith(`${url}/internal/thing`, { ca, cert, key })).toBe(403)
  })

  it('refuses plain HTTP', async () => {
    expect(await codeOf(fetch(`${url.replace('https', 'http')}/livez`))).toMatch(/UND_ERR_SOCKET|ECONNRESET/)
  })

  it('refuses TLS 1.2', async () => {
    const { port } = new URL(url)
    const code = await new Promise((resolve) => {
      const { ca } = contentsOf(ofClient)
      const socket = connectTls({ port: Number(port), host: '127.0.0.1', ca, maxVersion: 'TLSv1.2' })
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      socket.once('secureConnect', () => resolve('connected'))
    })
    expect(code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
  })

  it('uses a renewed certificate for new connections without a restart', async () => {
    const before = tls.expiresAtMs
    const expiresAt = new Date(Date.now() + 72 * 3_600_000)
    expect(tls.renew()).toBe(false)
    await authority.issue('service', { expiresAt })
    expect(tls.renew()).toBe(true)
    expect(tls.expiresAtMs).toBeGreaterThan(before)
    const { port } = new URL(url)
    const { ca } = contentsOf(ofClient)
    const presented = await new Promise((resolve, reject) => {
      const socket = connectTls({ port: Number(port), host: '127.0.0.1', ca }, () => {
        resolve(socket.getPeerX509Certificate()?.validToDate.getTime())
        socket.destroy()
      })
      socket.once('error', reject)
    })
    expect(presented).toBe(tls.expiresAtMs)
  })

  it('closes, with a connection open on which nothing was sent', async () => {
    const server = buildServer({ name: 'test', logger, metrics: createMetrics('test'), tls })
    const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
    const { ca } = contentsOf(ofClient)
    await new Promise<void>((resolve, reject) => {
      const socket = connectTls({ port: Number(port), host: '127.0.0.1', ca }, resolve)
      socket.once('error', reject)
    })
    await server.close()
    expect(server.server.listening).toBe(false)
  })
})

describe('an internal client with a certificate', () => {
  const serve = async (certificate: TestCertificate) => {
    const seen: (string | undefined)[] = []
    const options = { ...contentsOf(certificate), requestCert: true, rejectUnauthorized: false }
    const server = createServer(options, (incoming, response) => {
      const { socket } = incoming as unknown as { socket: import('node:tls').TLSSocket }
      seen.push(socket.getPeerX509Certificate()?.serialNumber)
      response.setHeader('connection', 'close')
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { server, seen, port: (server.address() as AddressInfo).port }
  }

  it('refuses a server whose certificate is of another authority', async () => {
    const { server, port } = await serve(ofStranger)
    useInternalTls(new InternalTls(ofClient))
    expect(await codeOf(internalFetch(`https://127.0.0.1:${port}/`))).toMatch(
      /UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|CERT_SIGNATURE_FAILURE/,
    )
    server.close()
  })

  it('refuses a server whose certificate has another name', async () => {
    const { server, port } = await serve(await authority.issue('other', { names: ['other.test'] }))
    useInternalTls(new InternalTls(ofClient))
    expect(await codeOf(internalFetch(`https://127.0.0.1:${port}/`))).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    server.close()
  })

  it('presents its renewed certificate on new connections', async () => {
    const { server, seen, port } = await serve(ofService)
    const tls = new InternalTls(await authority.issue('renewed'))
    useInternalTls(tls)
    await internalFetch(`https://127.0.0.1:${port}/`)
    await authority.issue('renewed')
    tls.renew()
    await internalFetch(`https://127.0.0.1:${port}/`)
    expect(new Set(seen).size).toBe(2)
    expect(seen).not.toContain(undefined)
    server.close()
  })
})

describe('the files of a certificate', () => {
  it('that are missing or invalid are named at the start', async () => {
    expect(() => new InternalTls({ ...ofClient, cert: '/no/such.crt' })).toThrow(
      /INTERNAL_TLS_CERT: \/no\/such.crt cannot be used: ENOENT/,
    )
    expect(() => new InternalTls({ ...ofClient, key: ofService.key })).toThrow(
      /INTERNAL_TLS_KEY: .* cannot be used: .*key values mismatch/,
    )
    const expired = await authority.issue('expired', { expiresAt: new Date(Date.now() - 1000) })
    expect(() => new InternalTls(expired)).toThrow(/INTERNAL_TLS_CERT: .* has expired/)
  })

  it('stay in use while a renewal is incomplete', async () => {
    const files = await authority.issue('halfway')
    const tls = new InternalTls(files)
    renameSync(files.key, `${files.key}.old`)
    writeFileSync(files.key, 'half of a key')
    expect(() => tls.renew()).toThrow('INTERNAL_TLS_KEY')
    expect(tls.serverOptions().key).toContain('PRIVATE KEY')
  })
})

describe('stores with certificates', () => {
  let redisServer: Backing
  let natsServer: Backing
  beforeAll(async () => {
    const ofStore = await authority.issue('store')
    useInternalTls(new InternalTls(ofClient))
    ;[redisServer, natsServer] = await Promise.all([
      startRedis(ofStore),
      startNats(undefined, { tls: ofStore, streams: false }),
    ])
  })
  afterAll(async () => {
    await Promise.all([redisServer.stop(), natsServer.stop()])
  })

  const redisError = async (url: string): Promise<string> => {
    const redis = openRedis(url, { lazyConnect: true, retryStrategy: () => null })
    const errors: string[] = []
    redis.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code ?? error.message))
    await redis.connect().catch((error: Error) => errors.push(error.message))
    redis.disconnect()
    return errors.join(' ')
  }

  it('Redis answers over TLS, and neither plainly nor to a client without our authority', async () => {
    useInternalTls(new InternalTls(ofClient))
    const redis = openRedis(redisServer.url, {})
    redis.on('error', () => undefined)
    expect(await redis.set('key', 'value')).toBe('OK')
    redis.disconnect()
    expect(await redisError(redisServer.url.replace('rediss', 'redis'))).not.toBe('')
    useInternalTls(new InternalTls(ofStranger))
    expect(await redisError(redisServer.url)).toMatch(/CERT|SIGNATURE/)
  })

  it('Redis is found through sentinels over TLS', async () => {
    useInternalTls(new InternalTls(ofClient))
    const sentinels = await startSentinelSet(await authority.issue('sentinel'))
    const redis = openRedis(sentinels.url, { maxRetriesPerRequest: null })
    redis.on('error', () => undefined)
    expect(await redis.set('key', 'value')).toBe('OK')
    expect(await redis.config('GET', 'port')).toEqual(['port', '0'])
    redis.disconnect()
    await sentinels.stop()
  })

  it('NATS answers over TLS, and not to a client without our authority', async () => {
    useInternalTls(new InternalTls(ofClient))
    const nats = await connectNats(natsServer.url, 'test', logger)
    await nats.flush()
    await nats.close()
    const { host: servers, hostname } = new URL(natsServer.url)
    const tls = new InternalTls(ofStranger).clientOptions(hostname)
    await expect(connect({ servers, tls })).rejects.toThrow(/certificate/)
  })

  it('a client that demands TLS refuses a NATS server without it', async () => {
    const plain = await startNats(undefined, { streams: false })
    const { host: servers, hostname } = new URL(plain.url)
    const tls = new InternalTls(ofClient).clientOptions(hostname)
    await expect(connect({ servers, tls })).rejects.toThrow('tls')
    await plain.stop()
  })
})
