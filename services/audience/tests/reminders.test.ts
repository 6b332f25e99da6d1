import { randomUUID } from 'node:crypto'
import type { Announced } from '@looptide/contracts/http/guide'
import { MAX_PUSH_SUBSCRIPTIONS, MAX_REMINDERS } from '@looptide/contracts/http/reminders'
import { OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import {
  type FakePushService,
  type FakeSubscription,
  startFakePushService,
} from '@looptide/testkit/push-service'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { Counter, Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteSubscription } from '../src/features/push/push-repository.ts'
import { PushSender } from '../src/features/push/push-sender.ts'
import { createReadAnnounced } from '../src/features/reminders/announced.ts'
import { followGuides } from '../src/features/reminders/follow-guides.ts'
import { deleteStartsBefore } from '../src/features/reminders/reminder-repository.ts'
import { sendDue } from '../src/features/reminders/send-due.ts'
import { type AudienceHarness, refusalOf, startAudienceHarness, type Viewer } from './_harness.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const logger = createLogger('test', 'silent')
let harness: AudienceHarness
let pushService: FakePushService
let viewer: Viewer
let channelId: string
let guide: Announced
let video: string

beforeAll(async () => {
  ;[harness, pushService] = await Promise.all([startAudienceHarness(), startFakePushService()])
})
afterAll(async () => {
  await harness.stop()
  await pushService.stop()
})
beforeEach(async () => {
  viewer = await harness.join()
  channelId = `channel-${randomUUID().slice(0, 8)}`
  video = randomUUID()
  guide = guideOf([programmeOf(video, HOUR_MS), programmeOf(randomUUID(), 24 * HOUR_MS)])
  harness.announced = (id) => (id === channelId ? guide : null)
  pushService.failures.length = 0
  pushService.beforeAnswer = () => undefined
})

let version = 1
const programmeOf = (videoId: string, inMs: number) => {
  const startsAtMs = harness.clock.nowMs + inMs
  return {
    ...{ id: `${channelId}.${startsAtMs}`, videoId, title: 'Song', artistName: 'Singer', startsAtMs },
    ...{ endsAtMs: startsAtMs + 4 * MINUTE_MS, blockId: null, blockName: null },
  }
}
const guideOf = (programmes: Announced['programmes']): Announced => {
  version += 1
  const timelineVersion = version
  return {
    channelId,
    name: 'Rock',
    isActive: true,
    timelineVersion,
    programmes,
    laterBlocks: [],
    specials: [],
  }
}

const deps = () => ({
  ...{ db: harness.db, now: () => harness.clock.nowMs, logger },
  ...{ siteUrl: harness.config.siteUrl, pushes: true },
})
/** What any replica does every half a second. */
const send = () => sendDue(deps())
const follow = () => followGuides({ ...deps(), readAnnounced: createReadAnnounced(harness.config) })
/** The scheduler has planned the channel again. */
async function publish(programmes: Announced['programmes']) {
  guide = guideOf(programmes)
  const { timelineVersion } = guide
  await harness.publish('stream.timeline.changed.v1', channelId, { channelId, timelineVersion, fromSeq: 1 })
  await follow()
}
/** The clock is `inMs` later, and what is due is sent. */
async function later(inMs: number) {
  harness.clock.nowMs += inMs
  await send()
}

const newSender = () => {
  const { siteUrl, vapidKeys, pushNetworks: allowedNetworks } = harness.config
  return new PushSender({
    ...deps(),
    outbound: new OutboundRequests({ siteUrl, allowedNetworks, allowsHttp: true }),
    vapidKeys: vapidKeys!,
    pushes: new Counter({ name: 'pushes', help: 'x', labelNames: ['result'], registers: [new Registry()] }),
  })
}
async function push(sender = newSender()) {
  await sender.step()
  await sender.settle()
}

const body = (ref = guide.programmes[0]!.id) => ({ kind: 'programme' as const, channelId, ref })
const remind = (one = viewer, change: object = {}) =>
  one.client.call('PUT /api/me/reminders', { body: { ...body(), ...change } })
const listed = async (one = viewer) => (await one.client.call('GET /api/me/reminders')).items
const refused = async (change: object) =>
  refusalOf(await viewer.client.send('PUT /api/me/reminders', { body: { ...body(), ...change } }))
/** The events that mail and pages receive of the viewer, in their order. */
async function notices(one = viewer) {
  await harness.service.processAll()
  const events = await eventsOf(harness.nats, 'audience.reminder.due.v1')
  return events.map(({ data }) => data).filter(({ userId }) => userId === one.user.id)
}
const phases = async (one = viewer) => (await notices(one)).map(({ phase }) => phase)

async function subscribe(one = viewer, deviceName = 'Laptop'): Promise<FakeSubscription & { id: string }> {
  const subscription = pushService.subscribe(harness.config.vapidKeys!.publicKey)
  const { endpoint, keys } = subscription
  const given = { endpoint, keys, deviceName, expirationTime: null }
  const { id } = await one.client.call('POST /api/me/push-subscriptions', { body: given })
  return Object.assign(subscription, { id })
}

describe('a reminder', () => {
  it('is sent ten minutes before the start and at the start, once each, by mail', async () => {
    const set = await remind()
    expect(set).toMatchObject({ title: 'Song – Singer', minutesBefore: 10, isRemoved: false, videoId: video })
    expect(await listed()).toEqual([set])
    await later(50 * MINUTE_MS - 1)
    expect(await notices()).toEqual([])
    await later(1)
    const [{ startsAtMs }] = [guide.programmes[0]!]
    expect(await notices()).toEqual([
      {
        ...{ userId: viewer.user.id, reminderId: expect.any(String), kind: 'programme', phase: 'before' },
        ...{
          title: 'Song – Singer',
          channelId,
          channelName: 'Rock',
          startsAtMs,
          videoId: video,
          via: 'mail',
        },
      },
    ])
    await later(10 * MINUTE_MS)
    await send()
    expect(await phases()).toEqual(['before', 'start'])
    expect(await listed()).toEqual([])
  })

  it('is sent once by two replicas at the same time', async () => {
    await remind()
    harness.clock.nowMs += 50 * MINUTE_MS
    await Promise.all([send(), send(), send()])
    expect(await phases()).toEqual(['before'])
  })

  it('of an artist is about every six hours, and set and removed by any spelling', async () => {
    await remind(viewer, { kind: 'artist', ref: ' SINGER ' })
    await remind(viewer, { kind: 'artist', ref: 'singer', minutesBefore: 0 })
    expect(await listed()).toMatchObject([{ ref: 'SINGER', minutesBefore: 0, title: 'SINGER' }])
    await later(HOUR_MS)
    expect(await notices()).toMatchObject([{ phase: 'start', title: 'Song – Singer' }])
    await viewer.client.call('DELETE /api/me/reminders', { body: { ...body('Singer'), kind: 'artist' } })
    expect(await listed()).toEqual([])
  })

  it('that was removed is not sent, and removing it again does nothing', async () => {
    await remind()
    await viewer.client.call('DELETE /api/me/reminders', { body: body() })
    await viewer.client.call('DELETE /api/me/reminders', { body: body() })
    await later(HOUR_MS)
    expect(await notices()).toEqual([])
  })

  it('is not changed more often than 60 times a minute', async () => {
    const remove = () => viewer.client.send('DELETE /api/me/reminders', { body: body() })
    await remind()
    const answers = []
    for (let count = 1; count <= 60; count += 1) answers.push(await remove())
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(59).fill(204), 429])
    expect(await refused({})).toMatchObject({ status: 429, code: 'rate_limited' })
    harness.clock.nowMs += MINUTE_MS
    expect((await remove()).status).toBe(204)
  })

  it('that could not be sent in time is not sent late', async () => {
    await remind()
    await later(HOUR_MS + 11 * MINUTE_MS)
    await send()
    expect(await notices()).toEqual([])
    expect(await listed()).toEqual([])
  })

  it('needs something that the guide announces', async () => {
    expect(await refused({ ref: 'gone' })).toMatchObject({ status: 404, code: 'not_found' })
    expect(await refused({ kind: 'block', ref: 'none' })).toMatchObject({ code: 'not_found' })
    expect(await refused({ kind: 'special', ref: 'none' })).toMatchObject({ code: 'not_found' })
    expect(await refused({ channelId: 'nowhere' })).toMatchObject({ code: 'not_found' })
    guide = { ...guide, isActive: false }
    expect(await refused({})).toMatchObject({ code: 'not_found' })
    expect(await listed()).toEqual([])
  })

  it.each([
    { minutesBefore: -1 },
    { minutesBefore: 1e9 },
    { kind: 'channel' },
    { ref: '' },
    { ref: 'x'.repeat(201) },
    { channelId: '../x' },
  ])('with %j is refused', async (change) => {
    expect(await refused(change)).toMatchObject({ status: 400, code: 'validation_failed' })
  })

  it('is one of a limited number', async () => {
    const rows = Array.from({ length: MAX_REMINDERS }, (_, index) => ({
      ...{
        id: randomUUID(),
        userId: viewer.user.id,
        channelId,
        kind: 'artist' as const,
        ref: `artist ${index}`,
      },
      ...{ title: `artist ${index}`, minutesBefore: 10, createdAt: new Date(harness.clock.nowMs) },
    }))
    await harness.db.insertInto('reminders').values(rows).execute()
    expect(await refused({ kind: 'artist', ref: 'one more' })).toEqual({
      status: 409,
      code: 'reminder_limit',
    })
    expect(await remind(viewer, { kind: 'artist', ref: 'artist 0' })).toMatchObject({ ref: 'artist 0' })
  })
})

describe('when the guide changes', () => {
  it('a moved programme moves its reminder, whose id then is the new one', async () => {
    await remind()
    await publish([programmeOf(video, 3 * HOUR_MS), programmeOf(randomUUID(), 24 * HOUR_MS)])
    expect(await listed()).toMatchObject([{ ref: guide.programmes[0]!.id }])
    await later(2 * HOUR_MS)
    expect(await notices()).toEqual([])
    await later(50 * MINUTE_MS)
    expect(await notices()).toMatchObject([{ phase: 'before', startsAtMs: guide.programmes[0]!.startsAtMs }])
    await viewer.client.call('DELETE /api/me/reminders', { body: body() })
    expect(await listed()).toEqual([])
  })

  it('a removed programme sends one notice, a minute later', async () => {
    await remind()
    await publish([programmeOf(randomUUID(), 24 * HOUR_MS)])
    expect(await listed()).toMatchObject([{ isRemoved: true }])
    await later(MINUTE_MS - 1)
    expect(await notices()).toEqual([])
    await later(1)
    await publish([programmeOf(randomUUID(), 24 * HOUR_MS)])
    await later(2 * HOUR_MS)
    expect(await phases()).toEqual(['removed'])
    harness.clock.nowMs += 24 * HOUR_MS
    await deleteStartsBefore(harness.db, new Date(harness.clock.nowMs - 24 * HOUR_MS + HOUR_MS))
    expect(await listed()).toEqual([])
  })

  it('a programme that returns in time is reminded of as before', async () => {
    await remind()
    const first = guide.programmes[0]!
    await publish([programmeOf(randomUUID(), 24 * HOUR_MS)])
    await publish([first, programmeOf(randomUUID(), 24 * HOUR_MS)])
    await later(HOUR_MS)
    await send()
    expect(await phases()).toEqual(['start'])
  })

  it('an older guide is not applied, and the newer one is read again', async () => {
    await remind()
    await follow()
    const old = guide
    await publish([programmeOf(video, 3 * HOUR_MS), programmeOf(randomUUID(), 24 * HOUR_MS)])
    const newest = guide
    // A replica of the scheduler that has not read the change yet.
    guide = { ...old, timelineVersion: old.timelineVersion }
    await harness.publish('stream.schedule.published.v1', channelId, {
      channelId,
      channelName: 'Rock',
      version: 2,
    })
    await follow()
    expect(await listed()).toMatchObject([{ startsAtMs: newest.programmes[0]!.startsAtMs }])
  })

  it('a deactivated channel announces nothing, and its programmes again once it is active', async () => {
    await remind()
    const change = async (isActive: boolean) => {
      guide = { ...guide, isActive }
      await harness.publish('stream.channel.updated.v1', channelId, { channelId, name: 'Rock', isActive })
      await follow()
    }
    await change(false)
    expect(await listed()).toMatchObject([{ isRemoved: true }])
    await later(MINUTE_MS)
    expect(await phases()).toEqual(['removed'])
    await change(true)
    await later(HOUR_MS)
    await send()
    expect(await phases()).toEqual(['removed', 'start'])
  })

  it('a deleted channel sends a notice of its programmes, and forgets its artists', async () => {
    await remind()
    await remind(viewer, { kind: 'artist', ref: 'Singer' })
    await harness.publish('stream.channel.deleted.v1', channelId, { channelId })
    expect(await listed()).toMatchObject([{ kind: 'programme', isRemoved: true }])
    await later(MINUTE_MS)
    expect(await notices()).toMatchObject([{ phase: 'removed', channelName: 'a deleted channel' }])
  })
})

describe('settings', () => {
  const change = (settings: object) =>
    viewer.client.send('PATCH /api/me/reminders/settings', { body: settings })

  it('turn mails off, and keep what they do not name', async () => {
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
    expect(await (await change({ quietHours })).json()).toMatchObject({ mail: true, quietHours })
    expect(await (await change({ mail: false })).json()).toMatchObject({ mail: false, quietHours })
    expect(await (await change({ quietHours: null })).json()).toMatchObject({ mail: false, quietHours: null })
    await remind()
    await later(50 * MINUTE_MS)
    expect(await notices()).toMatchObject([{ via: 'page' }])
  })

  it('keep quiet hours free of pushes and mails, and let removals wait for their end', async () => {
    const subscription = await subscribe()
    const local = (ms: number) => new Date(harness.clock.nowMs + ms).toISOString().slice(11, 16)
    await change({ quietHours: { from: local(0), to: local(2 * HOUR_MS), timeZone: 'UTC' } })
    await remind()
    await later(50 * MINUTE_MS)
    await push()
    expect(await notices()).toMatchObject([{ phase: 'before', via: 'page' }])
    await publish([programmeOf(randomUUID(), 24 * HOUR_MS)])
    await later(MINUTE_MS)
    expect(await phases()).toEqual(['before'])
    await later(70 * MINUTE_MS)
    await push()
    expect(await notices()).toMatchObject([{}, { phase: 'removed', via: 'push' }])
    expect(subscription.received).toHaveLength(1)
  })

  it.each([
    {},
    { mail: 'yes' },
    { quietHours: { from: '25:00', to: '07:00', timeZone: 'UTC' } },
    { quietHours: { from: '22:00', to: '07:00', timeZone: 'Nowhere' } },
    { quietHours: { from: '22:00', to: '22:00', timeZone: 'UTC' } },
  ])('%j are refused', async (settings) => {
    expect(await refusalOf(await change(settings))).toMatchObject({ status: 400, code: 'validation_failed' })
  })
})

describe('a push', () => {
  it('is encrypted for the device, signed by the station, and has the tag of the reminder', async () => {
    const subscription = await subscribe()
    await remind()
    await later(50 * MINUTE_MS)
    await push()
    const [notice] = await notices()
    expect(notice).toMatchObject({ via: 'push' })
    const { startsAtMs, reminderId } = notice!
    expect(subscription.received).toEqual([
      {
        message: {
          web_push: 8030,
          notification: {
            title: 'Song – Singer',
            body: 'Starts in 10 minutes on Rock.',
            tag: reminderId,
            navigate: `http://localhost:8080/live?channel=${channelId}`,
            timestamp: startsAtMs,
          },
        },
        ...{ topic: reminderId.replaceAll('-', ''), ttlS: 600, contentType: 'application/octet-stream' },
        claims: expect.objectContaining({ aud: pushService.url, sub: 'mailto:station@localhost' }),
      },
    ])
    const { items } = await viewer.client.call('GET /api/me/push-subscriptions')
    const lastUsedAt = new Date(harness.clock.nowMs).toISOString()
    expect(items).toMatchObject([{ id: subscription.id, deviceName: 'Laptop', lastUsedAt }])
    expect(pushService.refused).toEqual([])
  })

  it('is shown once although the process ends between sending it and storing that', async () => {
    const subscription = await subscribe()
    await remind()
    await later(50 * MINUTE_MS)
    // The rows of a process that was killed: the push service has accepted the push, which is not stored.
    const rows = await harness.db.selectFrom('pushDeliveries').selectAll().execute()
    await push()
    const restored = rows.map((row) => ({ ...row, payload: JSON.stringify(row.payload), attempts: 1 }))
    await harness.db.insertInto('pushDeliveries').values(restored).execute()
    await push()
    await push()
    expect(subscription.received).toHaveLength(2)
    expect(subscription.shown.size).toBe(1)
    expect(await phases()).toEqual(['before'])
  })

  it('is sent once by two replicas', async () => {
    const subscription = await subscribe()
    await remind()
    await later(50 * MINUTE_MS)
    await Promise.all([push(), push()])
    expect(subscription.received).toHaveLength(1)
  })

  it('is sent again after a fault of the push service, until the start', async () => {
    const subscription = await subscribe()
    await remind()
    await later(50 * MINUTE_MS)
    pushService.failures.push(503, 429)
    for (const afterMs of [0, 1999, 1, 9999, 1]) {
      harness.clock.nowMs += afterMs
      await push()
    }
    expect(subscription.received).toHaveLength(1)
    expect(pushService.failures).toEqual([])
    await later(10 * MINUTE_MS)
    pushService.failures.push(503)
    await push()
    harness.clock.nowMs += 20 * MINUTE_MS
    await push()
    expect(subscription.received).toHaveLength(1)
    expect(await harness.db.selectFrom('pushDeliveries').select('id').execute()).toEqual([])
  })

  it('to a device that is gone removes the device, so that the next notice is mailed', async () => {
    const subscription = await subscribe()
    await remind()
    subscription.isGone = true
    await later(50 * MINUTE_MS)
    await push()
    expect(await viewer.client.call('GET /api/me/push-subscriptions')).toEqual({ items: [] })
    await later(10 * MINUTE_MS)
    expect(await notices()).toMatchObject([{ via: 'push' }, { via: 'mail' }])
  })

  it('and the removal of its device do not block each other', async () => {
    const { id } = await subscribe()
    await remind()
    await later(50 * MINUTE_MS)
    const sender = newSender()
    await harness.db.transaction().execute(async (trx) => {
      await trx.selectFrom('pushSubscriptions').select('id').where('id', '=', id).forUpdate().execute()
      await sender.step()
      await until('the sender waits for the removal', async () => {
        const waiting = sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return (await waiting.execute(harness.db)).rows.length > 0
      })
      // Fails if the sender has locked what the removal deletes next.
      const deliveries = trx.selectFrom('pushDeliveries').select('id').where('subscriptionId', '=', id)
      await deliveries.forUpdate().noWait().execute()
      await deleteSubscription(trx, viewer.user.id, id)
    })
    await sender.settle()
    expect(await harness.db.selectFrom('pushDeliveries').select('id').execute()).toEqual([])
  })

  it('does not wait for another one that is not answered', async () => {
    const [slow, other] = [await subscribe(), await subscribe(await harness.join())]
    const [release, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    pushService.beforeAnswer = () => release.promise
    await remind()
    await later(50 * MINUTE_MS)
    const sender = newSender()
    await sender.step()
    pushService.beforeAnswer = () => answered.resolve()
    const { id: subscriptionId } = other
    const payload = JSON.stringify({ web_push: 8030 })
    const at = new Date(harness.clock.nowMs)
    const expiresAt = new Date(harness.clock.nowMs + MINUTE_MS)
    const row = {
      id: randomUUID(),
      startId: randomUUID(),
      nextAttemptAt: at,
      expiresAt,
      subscriptionId,
      payload,
    }
    await harness.db.insertInto('pushDeliveries').values(row).execute()
    await sender.step()
    await answered.promise
    release.resolve()
    await sender.settle()
    expect(other.received).toHaveLength(1)
    expect(slow.received).toHaveLength(1)
  })
})

describe('a device', () => {
  const keys = () => pushService.subscribe(harness.config.vapidKeys!.publicKey).keys
  const add = async (change: object) => {
    const given = { endpoint: `${pushService.url}/x`, keys: keys(), ...change }
    return refusalOf(await viewer.client.send('POST /api/me/push-subscriptions', { body: given }))
  }

  it.each([
    'http://10.0.0.1/push',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost:8080/api',
    'ftp://push.example/x',
    'https://user:password@push.example/x',
    'https://push.example:25/',
    `https://push.example/${'x'.repeat(2000)}`,
    'no address',
  ])('at %s is refused', async (endpoint) => {
    expect(await add({ endpoint })).toMatchObject({ status: 400, code: 'validation_failed' })
  })

  it('with keys that are none is refused', async () => {
    for (const p256dh of ['x', 'A'.repeat(87), `B${'A'.repeat(86)}`]) {
      expect(await add({ keys: { ...keys(), p256dh } })).toMatchObject({ code: 'validation_failed' })
    }
    expect(await add({ keys: { ...keys(), auth: 'short' } })).toMatchObject({ code: 'validation_failed' })
    expect(await viewer.client.call('GET /api/me/push-subscriptions')).toEqual({ items: [] })
  })

  it('is one of a limited number, belongs to the last account, and is removed by its owner only', async () => {
    const devices = []
    for (let count = 0; count < MAX_PUSH_SUBSCRIPTIONS; count += 1) devices.push(await subscribe())
    expect(await add({})).toMatchObject({ status: 409, code: 'push_subscription_limit' })
    const other = await harness.join()
    const { endpoint, keys: given, received, id } = devices[0]!
    await other.client.call('DELETE /api/me/push-subscriptions/:id', { params: { id } })
    expect((await viewer.client.call('GET /api/me/push-subscriptions')).items).toHaveLength(
      MAX_PUSH_SUBSCRIPTIONS,
    )
    await remind()
    await later(50 * MINUTE_MS)
    await other.client.call('POST /api/me/push-subscriptions', { body: { endpoint, keys: given } })
    await push()
    expect(received, 'what waited for the account before').toEqual([])
    expect((await viewer.client.call('GET /api/me/push-subscriptions')).items).toHaveLength(
      MAX_PUSH_SUBSCRIPTIONS - 1,
    )
    const { items } = await other.client.call('GET /api/me/push-subscriptions')
    expect(items).toMatchObject([{ deviceName: null, lastUsedAt: null }])
  })
})

describe('a session that ends', () => {
  it('ends the pushes to its browser, also those that wait, and to no other one', async () => {
    const [own, other] = [await subscribe(), await subscribe(await harness.join())]
    await remind()
    await later(50 * MINUTE_MS)
    const { user } = viewer
    const data = { userId: user.id, sessionIds: [user.sessionId], untilMs: harness.clock.nowMs + MINUTE_MS }
    await harness.publish('auth.session.revoked.v1', user.id, data)
    await push()
    await later(10 * MINUTE_MS)
    expect(own.received).toEqual([])
    expect(await notices()).toMatchObject([{ via: 'push' }, { phase: 'start', via: 'mail' }])
    const left = await harness.db.selectFrom('pushSubscriptions').select('id').execute()
    expect(left.map(({ id }) => id)).toContain(other.id)
  })
})

describe('an account', () => {
  it('exports its reminders and devices, and nothing of them is left when it is deleted', async () => {
    await subscribe()
    await remind()
    await viewer.client.call('PATCH /api/me/reminders/settings', { body: { mail: false } })
    const { items } = await viewer.client.call('GET /api/export/reminders')
    expect(items).toMatchObject([{ kind: 'programme', title: 'Song – Singer', minutesBefore: 10 }])
    const devices = await viewer.client.call('GET /api/export/reminder-devices')
    expect(devices.items).toMatchObject([
      { deviceName: 'Laptop', pushService: new URL(pushService.url).host },
    ])
    await harness.publish('auth.user.deleted.v1', viewer.user.id, { userId: viewer.user.id })
    for (const table of ['reminders', 'pushSubscriptions', 'reminderSettings'] as const) {
      const rows = await harness.db.selectFrom(table).select('userId').execute()
      expect(rows.map(({ userId }) => userId)).not.toContain(viewer.user.id)
    }
  })

  it('that is restricted sets no reminder', async () => {
    await harness.publish('auth.user.restricted.v1', viewer.user.id, {
      ...{ userId: viewer.user.id, restrictionId: randomUUID(), restrictionType: 'restricted' },
      ...{ reason: 'x', expiresAt: null },
    })
    expect(await refused({})).toEqual({ status: 403, code: 'user_restricted' })
  })
})
