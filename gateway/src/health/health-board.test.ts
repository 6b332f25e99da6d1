import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICES, type ServiceName } from '../config.ts'
import { HealthBoard } from './health-board.ts'

/** One server in the place of all services: `/<service>/readyz` is ready if the service is in the set. */
const ready = new Set<string>()
let server: Server
let board: HealthBoard

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, service = ''] = (request.url ?? '').split('/')
    response.statusCode = ready.has(service) ? 200 : 503
    response.end('{"checks":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const upstreams = Object.fromEntries(SERVICES.map((name) => [name, `${base}/${name}`]))
  board = new HealthBoard(upstreams as Record<ServiceName, string>, Date.now)
})
afterAll(() => server.close())

const isHealthyWith = async (...services: ServiceName[]): Promise<boolean> => {
  ready.clear()
  for (const service of services) ready.add(service)
  await board.check()
  return board.isHealthy()
}

it('says nothing against the station before anything was asked', () => {
  expect(board.isHealthy()).toBe(true)
})

it('is unhealthy when no service that viewers depend on answers, although the gateway itself does', async () => {
  expect(await isHealthyWith()).toBe(false)
  expect(await isHealthyWith('admin-audit', 'metadata-worker')).toBe(false)
  expect(board.results().find(({ service }) => service === 'gateway')).toMatchObject({
    healthy: true,
    isViewerFacing: false,
  })
})

it.each(['auth', 'catalogue', 'stream-scheduler', 'chat'] as const)(
  'is healthy with %s alone',
  async (name) => {
    expect(await isHealthyWith(name)).toBe(true)
  },
)
