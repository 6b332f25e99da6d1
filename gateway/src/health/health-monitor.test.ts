import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SERVICES, type ServiceName } from '@looptide/contracts/service-names'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HealthMonitor } from './health-monitor.ts'

/** One server for all services: `/<service>/readyz` is ready if the service is in the set. */
const ready = new Set<string>()
let server: Server
let monitor: HealthMonitor

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, service = ''] = (request.url ?? '').split('/')
    response.statusCode = ready.has(service) ? 200 : 503
    response.end('{"checks":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const upstreams = Object.fromEntries(SERVICES.map((name) => [name, `${base}/${name}`]))
  monitor = new HealthMonitor(upstreams as Record<ServiceName, string>, Date.now)
})
afterAll(() => server.close())

const isHealthyWith = async (...services: ServiceName[]): Promise<boolean> => {
  ready.clear()
  for (const service of services) ready.add(service)
  await monitor.check()
  return monitor.isHealthy()
}

it('is healthy before the first check', () => {
  expect(monitor.isHealthy()).toBe(true)
})

it('is unhealthy when no service that viewers depend on is ready, although the gateway is', async () => {
  expect(await isHealthyWith()).toBe(false)
  expect(await isHealthyWith('admin-audit', 'metadata-worker')).toBe(false)
  expect(monitor.results().find(({ service }) => service === 'gateway')).toMatchObject({
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
