import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '@looptide/testkit/free-port'
import { NatsStore } from '@looptide/testkit/nats-store'
import { TcpProxy } from '@looptide/testkit/tcp-proxy'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { connect, type NatsConnection, requireSubject } from '../src/events/nats-client.ts'

const QUICK = {
  timeout: 150,
  reconnectTimeWait: 20,
  reconnectJitter: 0,
  maxReconnectAttempts: -1,
  waitOnFirstConnect: true,
} as const

let server: NatsStore
let monitoring: string
let proxy: TcpProxy
const open: NatsConnection[] = []

beforeAll(async () => {
  const port = await freePort()
  server = await NatsStore.start(['--http_port', String(port)])
  monitoring = `http://127.0.0.1:${port}`
})
beforeEach(async () => {
  proxy = await TcpProxy.to(server.url)
})
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close()
  await proxy.stop()
})
afterAll(() => server.stop())

const proxyAddress = (): string => `127.0.0.1:${proxy.port}`
const readMonitoring = async <T>(path: string): Promise<T> =>
  (await fetch(monitoring + path)).json() as Promise<T>
/** Connections that NATS holds open. */
const openConnections = async () =>
  (await readMonitoring<{ num_connections: number }>('/connz')).num_connections
/** Connections that NATS has accepted since its start. */
const acceptedConnections = async () =>
  (await readMonitoring<{ total_connections: number }>('/varz')).total_connections

/** A server that accepts connections and never sends its `INFO` message. */
async function startSilentServer(): Promise<{ server: Server; sockets: Set<Socket>; count: () => number }> {
  const sockets = new Set<Socket>()
  let count = 0
  const silent = createServer((socket) => {
    count += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.resume()
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  return { server: silent, sockets, count: () => count }
}

it('a connection attempt that times out leaves no socket', async () => {
  const { server: silent, sockets, count } = await startSilentServer()
  const servers = `127.0.0.1:${(silent.address() as AddressInfo).port}`
  await expect(connect({ servers, timeout: 150, reconnect: false })).rejects.toThrow('TIMEOUT')
  expect(count()).toBe(1)
  await until('the socket is closed', () => sockets.size === 0)
  silent.close()
})

it('attempts that NATS answers too late leave one connection, which is not interrupted', async () => {
  const before = await acceptedConnections()
  proxy.cut('blackHole')
  const connecting = connect({ servers: proxyAddress(), ...QUICK })
  await until('NATS has accepted five attempts', async () => (await acceptedConnections()) >= before + 5)
  proxy.restore()
  const connection = await connecting
  open.push(connection)
  const changes: string[] = []
  void (async () => {
    for await (const { type } of connection.status()) changes.push(type)
  })()
  await until('NATS holds one connection', async () => (await openConnections()) === 1)
  const settled = await acceptedConnections()
  for (let i = 0; i < 20; i += 1) await connection.flush()
  expect([await openConnections(), await acceptedConnections()]).toEqual([1, settled])
  expect(changes).not.toContain('disconnect')
})

it('a connection that is closed while it reconnects leaves no socket', async () => {
  const connection = await connect({ servers: proxyAddress(), ...QUICK, pingInterval: 50, maxPingOut: 2 })
  const before = await acceptedConnections()
  proxy.cut('blackHole')
  await until(
    'NATS has accepted three attempts to reconnect',
    async () => (await acceptedConnections()) >= before + 3,
  )
  await connection.close()
  proxy.restore()
  await until('NATS holds no connection', async () => (await openConnections()) === 0)
})

it('one connection is left after three restarts of NATS over a slow network', async () => {
  const connection = await connect({ servers: proxyAddress(), ...QUICK })
  open.push(connection)
  const received: string[] = []
  connection.subscribe('notes', { callback: (_error, message) => received.push(message.string()) })
  for (const name of ['one', 'two', 'three']) {
    proxy.slow({ latencyMs: 200 })
    await server.restart()
    await until('NATS has accepted three attempts', async () => (await acceptedConnections()) >= 3)
    proxy.restore()
    await until(`the message ${name} is received`, async () => {
      connection.publish('notes', name)
      await connection.flush()
      return received.includes(name)
    })
    await until('NATS holds one connection', async () => (await openConnections()) === 1)
  }
})

it.each(['', 'a b', 'a\r\nPUB b 0', 'a..b', '.a', 'a.', 'a.*', 'a.>'])(
  'the text %j is refused as a subject',
  (text) => {
    expect(() => requireSubject(text)).toThrow('BAD_SUBJECT')
  },
)
