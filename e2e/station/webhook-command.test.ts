import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Webhook, WebhookDeliveryList, WebhookWithSecret } from '@looptide/contracts/http/webhooks'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation } from '@looptide/test-station/station'
import { until } from '@looptide/testkit/until'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { looptide as run } from '../support/commands.ts'

let station: Station
let receiver: Server
let url: string
const received: { headers: Record<string, string>; body: string }[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers as Record<string, string>, body })
      response.writeHead(204).end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?token=of-the-receiver`
  station = await startTestStation({ processes: 'one', env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } })
})
afterAll(async () => {
  await station?.stop()
  receiver?.close()
})

const looptide = (...args: string[]) => run(station.dataDir, 'webhooks', ...args)
/** Runs a command that succeeds, and returns its JSON. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await run(station.dataDir, '--json', 'webhooks', ...args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as T
}
const deliveriesOf = (id: string) => json<WebhookDeliveryList>('deliveries', id)

it('creates a webhook, tests it, sends the delivery again and replaces the secret', async () => {
  expect(await looptide('list')).toEqual({ code: 0, out: 'No webhooks.\n', err: '' })
  const events = ['--events', 'programme.started', 'schedule.published']
  const created = await json<WebhookWithSecret>('create', url, ...events, '--channel', 'test-card')
  expect(created).toMatchObject({ format: 'standard', channelIds: ['test-card'], events: events.slice(1) })

  await json('test', created.id)
  await until(
    'the test has arrived',
    async () => (await deliveriesOf(created.id)).items[0]?.state === 'delivered',
  )
  const [delivery] = (await deliveriesOf(created.id)).items
  const [first] = received
  expect(new Verifier(created.secret).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({
    type: 'webhook.test',
  })

  await json('resend', created.id, delivery?.id ?? '')
  await until('it has arrived again', () => received.length === 2)
  expect(received[1]?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  await until('both are listed', async () => {
    const { out } = await looptide('deliveries', created.id)
    return out.match(/webhook\.test +delivered +1 +204 after \d+ ms/g)?.length === 2
  })

  const rotated = await looptide('rotate', created.id)
  expect(rotated.out).toMatch(
    /^The previous secret signs too for 24 hours\.\nSecret: whsec_\S+ \(not shown again\)\n/,
  )
  expect(rotated.out).not.toContain(created.secret)
})

it('lists webhooks with their hosts, without secrets or the rest of their addresses', async () => {
  const listed = await looptide('list')
  expect(listed.out).toContain(
    `on     standard  test-card  programme.started schedule.published  ${new URL(url).host}`,
  )
  expect(listed.out).not.toContain('of-the-receiver')
  expect(JSON.stringify(await json<Webhook[]>('list'))).not.toContain('whsec_')
})

it('refuses unknown events and formats, addresses to which nothing may be sent, and webhooks that do not exist', async () => {
  expect(await looptide('create', url)).toMatchObject({ code: 2 })
  expect(await looptide('create', url, '--events', 'everything')).toMatchObject({ code: 2 })
  const events = ['--events', 'programme.started']
  expect(await looptide('create', url, ...events, '--format', 'xml')).toMatchObject({ code: 2 })
  expect(await looptide('create', 'ftp://receiver.test', ...events)).toMatchObject({
    code: 1,
    err: expect.stringContaining('unprocessable'),
  })
  const nobody = '01900000-0000-7000-8000-000000000009'
  expect(await looptide('test', nobody)).toMatchObject({ code: 1, err: expect.stringContaining('not_found') })
  expect(await json<Webhook[]>('list')).toHaveLength(1)
})
