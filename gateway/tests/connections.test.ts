import { connect, type Socket } from 'node:net'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'

let harness: GatewayHarness
const connections: Socket[] = []

beforeAll(async () => {
  harness = await startGatewayHarness({ MAX_SOCKETS_PER_NETWORK: '10' })
})
afterAll(async () => {
  for (const socket of connections) socket.destroy()
  await harness.close()
})

it('one network may open four times as many connections as sockets, and new ones after closing them', async () => {
  const { hostname, port } = new URL(harness.gateway.url)
  for (let n = 0; n < 100; n += 1)
    connections.push(connect(Number(port), hostname).on('error', () => undefined))
  const open = (): Socket[] => connections.filter((socket) => !socket.destroyed && !socket.closed)
  for (const socket of connections) socket.resume()
  await until(
    'the excess connections are closed',
    () => connections.every(({ connecting }) => !connecting) && open().length <= 40,
  )
  expect(open().length).toBeGreaterThan(30)
  for (const socket of connections) socket.destroy()
  await until('requests are accepted again', async () => {
    const response = await fetch(`${harness.gateway.url}/livez`).catch(() => null)
    return response?.status === 200
  })
})
