import { createPublicKey, verify } from 'node:crypto'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import {
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@looptide/contracts/http/webhooks'
import { newId } from '@looptide/service-kit/db/ids'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { clientOf, type TestClient } from '@looptide/testkit/client'
import { storeEvent } from '@looptide/testkit/event-keys'
import type { TestUser } from '@looptide/testkit/identity'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuditHarness, readLog, startAuditHarness } from './_harness.ts'
import { type Received, type Receiver, startReceiver, withStatus } from './_webhooks.ts'

let harness: AuditHarness
let service: RunningService
let admin: TestUser
let client: TestClient
let receiver: Receiver

beforeAll(async () => {
  harness = await startAuditHarness()
  admin = await harness.identity.createUser('admin')
  service = await harness.serve({ webhookNetworks: ['127.0.0.0/8'] })
  client = clientOf(service.url, admin.token)
})
afterAll(() => harness.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await sql`delete from webhooks`.execute(harness.db)
  await receiver.close()
})

const create = (more: object = {}): Promise<WebhookWithSecret> =>
  client.call('POST /api/webhooks', {
    body: { url: `${receiver.url}?token=hidden`, events: ['schedule.published'], ...more },
  })

/** Publishes an event as its owner does. Returns its id. */
async function publish<T extends EventType>(type: T, data: EventData<T>): Promise<string> {
  const id = newId()
  await storeEvent(harness.nats, {
    ...{ id, type, occurredAt: new Date().toISOString(), actorId: null, correlationId: null },
    ...{ aggregateId: 'default', aggregateVersion: 1, data },
  } as Envelope)
  return id
}
const published = (version = 1): Promise<string> =>
  publish('stream.schedule.published.v1', { channelId: 'default', channelName: 'Main *channel*', version })

async function next(count = 1): Promise<Received> {
  await until(`${count} requests have arrived`, () => receiver.received.length >= count)
  return receiver.received[count - 1]!
}

const verified = (secret: string, { body, headers }: Received): unknown =>
  new Verifier(secret).verify(body, headers as Record<string, string>)

const stored = async (id: string): Promise<WebhookDelivery[]> =>
  (await client.call('GET /api/webhooks/:id/deliveries', { params: { id } })).items
const finished = (id: string) =>
  until('the delivery has ended', async () => (await stored(id)).find(({ state }) => state !== 'waiting'))

describe('a delivery', () => {
  it('is verified by a stock library with the secret, and with the public key', async () => {
    const { secret, publicKey, id } = await create()
    const eventId = await published(7)
    const received = await next()
    expect(verified(secret, received)).toEqual({
      ...{ type: 'schedule.published', timestamp: expect.any(String) },
      data: { channelId: 'default', channelName: 'Main *channel*', version: 7 },
    })
    expect(received.headers).toMatchObject({
      'webhook-id': eventId,
      'content-type': 'application/json',
      'user-agent': 'Looptide-Webhooks/1',
    })
    const { headers, body } = received
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const signature = /v1a,(\S+)/.exec(String(headers['webhook-signature']))?.[1] ?? ''
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
    expect(verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'))).toBe(true)
    expect(await finished(id)).toMatchObject({
      ...{ eventId, type: 'schedule.published', kind: 'event', channelId: 'default', state: 'delivered' },
      ...{ attempts: 1, error: null, response: { status: 204, body: '' }, request: { body: received.body } },
    })
  })

  it('is signed with both secrets for a day after a rotation', async () => {
    const { id, secret, publicKey } = await create()
    const rotated = await client.call('POST /api/webhooks/:id/rotate-secret', { params: { id } })
    expect([rotated.secret, rotated.publicKey]).not.toContain(secret)
    expect(rotated.publicKey).not.toBe(publicKey)
    await published()
    const received = await next()
    for (const each of [secret, rotated.secret])
      expect(verified(each, received)).toMatchObject({ type: 'schedule.published' })
    await sql`update webhooks set previous_until = now() where id = ${id}`.execute(harness.db)
    const eventId = await published()
    const later = await until('the next one has arrived', () =>
      receiver.received.find(({ headers }) => headers['webhook-id'] === eventId),
    )
    expect(verified(rotated.secret, later)).toMatchObject({ type: 'schedule.published' })
    expect(() => verified(secret, later)).toThrow('No matching signature')
    const [webhook] = (await client.call('GET /api/webhooks')).items
    expect(webhook?.previousSecretUntil).toBeNull()
  })

  it.each([
    [
      'discord',
      { content: '**Main \\*channel\\*** has a new schedule (version 1).', allowed_mentions: { parse: [] } },
    ],
    ['slack', { text: '*Main *\u200bchannel*\u200b* has a new schedule (version 1).' }],
  ] as const)('has the format of %s', async (format, body) => {
    await create({ format })
    await published()
    expect(JSON.parse((await next()).body)).toEqual(body)
  })

  it('is made of the events of all services, without what receivers need not know', async () => {
    await create({
      events: [
        ...['programme.started', 'takeover.started', 'channel.status_changed', 'submission.received'],
        'user.restricted',
      ],
    })
    const [videoId, userId] = [newId(), newId()]
    const channel = { channelId: 'default', channelName: 'Main' }
    const times = { startsAtMs: 0, endsAtMs: 60_000 }
    const programme = { programmeId: 'default:1', seq: 1, videoId, title: 'Song', artist: 'Band' }
    await publish('stream.programme.started.v1', { ...channel, ...programme, ...times })
    const takeover = { takeoverId: newId(), title: 'Live', isLive: true, startsAtMs: 0, endsAtMs: null }
    await publish('stream.takeover.started.v1', { ...channel, ...takeover })
    await publish('stream.status.changed.v1', { channelId: 'default', status: 'idle' })
    await publish('catalogue.submission.received.v1', { videoId })
    const restriction = { userId, restrictionId: newId(), restrictionType: 'chat_banned' } as const
    await publish('auth.user.restricted.v1', { ...restriction, reason: 'private', expiresAt: null })
    await next(5)
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: unknown })
    expect(Object.fromEntries(bodies.map(({ type, data }) => [type, data]))).toEqual({
      'programme.started': {
        ...channel,
        ...{ programmeId: 'default:1', videoId, title: 'Song', artist: 'Band' },
        ...{ startsAt: '1970-01-01T00:00:00.000Z', endsAt: '1970-01-01T00:01:00.000Z' },
      },
      'takeover.started': {
        ...channel,
        ...{ takeoverId: takeover.takeoverId, title: 'Live', isLive: true },
        ...{ startsAt: '1970-01-01T00:00:00.000Z', endsAt: null },
      },
      'channel.status_changed': { channelId: 'default', status: 'idle' },
      'submission.received': { videoId },
      'user.restricted': {
        ...{ userId, restrictionId: restriction.restrictionId, restriction: 'chat_banned', expiresAt: null },
      },
    })
    expect(receiver.received.map(({ body }) => body).join('')).not.toContain('private')
  })
})

describe('an admin', () => {
  it('sees a secret when it is made, and neither it nor the path of the address anywhere else', async () => {
    const { id, secret } = await create()
    await client.call('PATCH /api/webhooks/:id', { params: { id }, body: { channelIds: ['default'] } })
    const rotated = await client.call('POST /api/webhooks/:id/rotate-secret', { params: { id } })
    await client.call('POST /api/webhooks/:id/test', { params: { id } })
    const answers = JSON.stringify([await client.call('GET /api/webhooks'), await stored(id)])
    for (const each of [secret, rotated.secret]) expect(answers).not.toContain(each)
    await client.call('DELETE /api/webhooks/:id', { params: { id } })
    await service.processAll()
    const entries = (await readLog(service.url, admin)).filter(({ targetId }) => targetId === id)
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      ...['webhook.create', 'webhook.delete', 'webhook.rotate_secret', 'webhook.test', 'webhook.update'],
    ])
    const log = JSON.stringify(entries)
    expect(log).toContain(new URL(receiver.url).host)
    for (const hidden of ['whsec_', 'hidden', '/hook', secret.slice(6), rotated.secret.slice(6)])
      expect(log).not.toContain(hidden)
  })

  it('sends a test, which is tried once, also to a webhook that is off', async () => {
    receiver.answer = withStatus(500)
    const { id, secret } = await create({ isActive: false })
    await client.call('POST /api/webhooks/:id/test', { params: { id } })
    expect(verified(secret, await next())).toMatchObject({
      ...{ type: 'webhook.test', data: { message: 'This is a test.' } },
    })
    expect(await finished(id)).toMatchObject({ kind: 'test', state: 'failed', error: 'Answered 500.' })
    const [webhook] = (await client.call('GET /api/webhooks')).items
    expect(webhook).toMatchObject({ isActive: false, failingSince: null, disabled: null })
  })

  it('sends a delivery again, with the same id, and one that waits at once', async () => {
    const { id } = await create()
    const eventId = await published()
    const first = await finished(id)
    const params = { id, deliveryId: first.id }
    const again = await client.call('POST /api/webhooks/:id/deliveries/:deliveryId/resend', { params })
    expect(again).toMatchObject({ kind: 'resend', eventId, state: 'waiting' })
    await next(2)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId])

    receiver.answer = withStatus(500)
    const failing = await published()
    const waiting = await until('it waits after an attempt', async () =>
      (await stored(id)).find((each) => each.eventId === failing && each.attempts > 0),
    )
    await sql`update webhook_deliveries set next_attempt_at = now() + interval '1 day' where id = ${waiting.id}`.execute(
      harness.db,
    )
    receiver.answer = withStatus(204)
    await client.call('POST /api/webhooks/:id/deliveries/:deliveryId/resend', {
      params: { id, deliveryId: waiting.id },
    })
    await until('it has arrived', async () =>
      (await stored(id)).find((each) => each.eventId === failing && each.state === 'delivered'),
    )
  })

  it('cannot enter an address of the private network, or one without TLS on a public site', async () => {
    const send = (url: string) =>
      client.send('POST /api/webhooks', { body: { url, events: ['schedule.published'] } })
    for (const url of ['http://10.0.0.1/', 'http://0x0a.1/', 'http://[::1]/', 'http://localhost:8080/'])
      expect([url, (await send(url)).status]).toEqual([url, 422])
    const { id } = await create()
    const changed = await client.send('PATCH /api/webhooks/:id', {
      params: { id },
      body: { url: 'http://169.254.169.254/latest' },
    })
    expect(changed.status).toBe(422)
    expect(await changed.json()).toMatchObject({ code: 'unprocessable', details: [{ path: '/url' }] })
  })

  it('cannot create more than twenty', async () => {
    await sql`insert into webhooks (id, url, events, format, is_active, secret, signing_key, created_at)
      select gen_random_uuid(), 'https://example.com/', '{}', 'standard', false, '', repeat('A', 43), now()
      from generate_series(1, ${MAX_WEBHOOKS - 1})`.execute(harness.db)
    const results = await Promise.all(
      [1, 2, 3].map(() =>
        client.send('POST /api/webhooks', { body: { url: receiver.url, events: ['schedule.published'] } }),
      ),
    )
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422])
    const { items } = await client.call('GET /api/webhooks')
    expect(items satisfies Webhook[]).toHaveLength(MAX_WEBHOOKS)
  })
})
