import { randomUUID } from 'node:crypto'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Message, nowState, RawClient, startStation, type TestStation } from './_util.ts'

let station: TestStation
const clients: RawClient[] = []

beforeAll(async () => {
  station = await startStation()
})
afterAll(() => station.close())
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

async function open(query?: string): Promise<RawClient> {
  const client = new RawClient(station.realtimeUrl, query)
  clients.push(client)
  return client.open()
}

const STREAM = 'realtime:stream:default'
const CHAT = 'realtime:chat:default'

const chatMessage = (seq: number, channelId = 'default') => ({
  id: randomUUID(),
  channelId,
  seq,
  userId: randomUUID(),
  author: { handle: 'kim', artistName: null, role: 'user' as const },
  message: `message ${seq}`,
  createdAt: new Date().toISOString(),
})

describe('arrivals', () => {
  it('get what is on, at once', async () => {
    const client = await open()
    const { status, response, joinRef } = await client.join(STREAM, { config: {} })
    expect({ status, response }).toEqual({ status: 'ok', response: { postgres_changes: [] } })
    const snapshot = await client.broadcast(STREAM, 'snapshot')
    expect(snapshot).toMatchObject({ channelId: 'default', status: 'live', timelineVersion: 1, viewers: 1 })
    expect((snapshot.programmes as { seq: number }[])[0]?.seq).toBe(0)
    const [first, second] = client.messages
    expect(first?.slice(0, 4)).toEqual([joinRef, joinRef, STREAM, 'phx_reply'])
    expect(second?.slice(0, 4)).toEqual([null, null, STREAM, 'broadcast'])
  })

  it('ask the scheduler once, however many they are', async () => {
    station.channels.set('busy', nowState('busy'))
    const many = await Promise.all(Array.from({ length: 20 }, () => open()))
    await Promise.all(many.map((client) => client.join('realtime:stream:busy')))
    await Promise.all(many.map((client) => client.broadcast('realtime:stream:busy', 'snapshot')))
    expect(station.scheduler.requests.filter(({ url }) => url.includes('/busy/'))).toHaveLength(1)
  })

  it('learn the newest chat message of a channel', async () => {
    const client = await open()
    await client.join(CHAT)
    expect(await client.broadcast(CHAT, 'snapshot')).toEqual({ lastSeq: 7 })
  })

  it('are refused a channel that is not there', async () => {
    const client = await open()
    expect(await client.join('realtime:stream:nowhere')).toMatchObject({
      status: 'error',
      response: { reason: 'there is no such channel' },
    })
    expect(await client.join('realtime:chat:nowhere')).toMatchObject({ status: 'error' })
  })
})

describe('what viewers may ask and say', () => {
  it('answers clock and poll to the asking socket alone', async () => {
    const [asking, other] = [await open(), await open()]
    const { joinRef } = await asking.join(STREAM)
    await other.join(STREAM)
    const send = (event: string, payload: unknown) =>
      asking.send(STREAM, 'broadcast', { type: 'broadcast', event, payload }, joinRef)
    send('clock', { sentAtMs: 12.5 })
    send('poll', { timelineVersion: 0, health: true })
    const clock = await asking.broadcast(STREAM, 'clock')
    expect(clock.sentAtMs).toBe(12.5)
    expect(Math.abs(Number(clock.serverNowMs) - Date.now())).toBeLessThan(2000)
    expect(await asking.broadcast(STREAM, 'poll')).toEqual({
      serverNowMs: expect.any(Number),
      timelineVersion: 1,
      status: 'live',
      healthy: true,
    })
    await other.settled()
    expect(
      other.messages.filter(([, , , event, { event: name }]) => event === 'broadcast' && name !== 'snapshot'),
    ).toEqual([])
  })

  it('tells who polls and knows the timeline nothing but the time, as a binary frame to whoever sends such', async () => {
    const asking = await open()
    const { joinRef } = await asking.join(STREAM)
    const question = JSON.stringify({ timelineVersion: 1 })
    const names = [joinRef, '9', STREAM, 'poll']
    const head = Buffer.from([3, ...names.map((name) => name.length), 0, 1])
    asking.socket.send(Buffer.concat([head, ...[...names, question].map((text) => Buffer.from(text))]))
    const answer = await until('the poll is answered', () => asking.binary[0])
    const prefix = Buffer.concat([
      Buffer.from([4, STREAM.length, 'poll'.length, 0, 1]),
      Buffer.from(`${STREAM}poll`),
    ])
    expect(answer.subarray(0, prefix.length)).toEqual(prefix)
    expect(JSON.parse(answer.subarray(prefix.length).toString())).toEqual({ serverNowMs: expect.any(Number) })
  })

  it.each([STREAM, CHAT, 'realtime:station'])('lets nobody speak on %s', async (topic) => {
    const [speaker, listener] = [await open(), await open()]
    const { joinRef } = await speaker.join(topic)
    await listener.join(topic)
    const ref = speaker.send(
      topic,
      'broadcast',
      { type: 'broadcast', event: 'message', payload: { x: 1 } },
      joinRef,
    )
    expect(await speaker.reply(ref)).toMatchObject({
      status: 'error',
      response: { reason: expect.stringMatching(/^Unauthorized/) },
    })
    const track = speaker.send(topic, 'presence', { type: 'presence', event: 'track', payload: {} }, joinRef)
    expect(await speaker.reply(track)).toMatchObject({ status: 'error' })
    await listener.settled()
    expect(listener.messages.some(([, , , , { event }]) => event === 'message')).toBe(false)
  })
})

describe('events', () => {
  it('reach the topic they concern, in order, once', async () => {
    const [here, elsewhere] = [await open(), await open()]
    await here.join(CHAT)
    await elsewhere.join('realtime:chat:test-card')
    await here.broadcast(CHAT, 'snapshot')
    for (let seq = 8; seq < 308; seq += 1)
      station.publish('chat.message.posted.v1', { message: chatMessage(seq) })
    const seqs = () =>
      here.messages
        .filter(([, , , , { event }]) => event === 'message')
        .map(([, , , , { payload }]) => (payload as { message: { seq: number } }).message.seq)
    await until('all are there', () => seqs().length >= 300)
    expect(seqs()).toEqual(Array.from({ length: 300 }, (_, index) => index + 8))
    await elsewhere.settled()
    expect(elsewhere.messages.some(([, , , , { event }]) => event === 'message')).toBe(false)
    const late = await open()
    await late.join(CHAT)
    expect(await late.broadcast(CHAT, 'snapshot')).toEqual({ lastSeq: 307 })
  })

  it('of a new future bring the new state to all and to later arrivals', async () => {
    const client = await open()
    await client.join(STREAM)
    await client.broadcast(STREAM, 'snapshot')
    station.channels.set('default', nowState('default', { timelineVersion: 2 }))
    station.publish('stream.timeline.changed.v1', { channelId: 'default', timelineVersion: 2, fromSeq: 1 })
    expect(await client.broadcast(STREAM, 'now')).toMatchObject({ timelineVersion: 2 })
    const late = await open()
    await late.join(STREAM)
    expect(await late.broadcast(STREAM, 'snapshot')).toMatchObject({ timelineVersion: 2 })
  })

  it('of the station reach everybody', async () => {
    const client = await open()
    await client.join('realtime:station')
    station.publish('stream.channel.created.v1', { channelId: 'new', name: 'New', isActive: true })
    expect(await client.broadcast('realtime:station', 'channels')).toEqual({ channel: { id: 'new' } })
  })

  it('of timelines and channels reach whoever looks at the guide', async () => {
    const client = await open()
    await client.join('realtime:guide')
    const [channelId, timelineVersion] = ['default', 3]
    station.publish('stream.timeline.extended.v1', { channelId, timelineVersion, endsAtMs: 5 })
    expect(await client.broadcast('realtime:guide', 'changed')).toEqual({
      channelId,
      timelineVersion,
      endsAtMs: 5,
    })
    client.messages.length = 0
    station.publish('stream.timeline.changed.v1', { channelId, timelineVersion, fromSeq: 1 })
    expect(await client.broadcast('realtime:guide', 'changed')).toEqual({ channelId, timelineVersion })
  })

  it('of slow mode reach the channel’s chat', async () => {
    const client = await open()
    await client.join(CHAT)
    station.publish('chat.settings.changed.v1', { channelId: 'default', slowModeS: 30 })
    expect(await client.broadcast(CHAT, 'settings')).toEqual({ slowModeS: 30 })
  })

  it('of audit and jobs reach admins only', async () => {
    const admin = await station.identity.createUser('admin')
    await until('the role is known', async () => {
      station.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
      const client = await open()
      return (await client.join('realtime:admin', { access_token: admin.token })).status === 'ok'
    })
    const client = clients.at(-1) as RawClient
    const audit = {
      targetType: null,
      targetId: null,
      targetUserId: null,
      before: null,
      after: null,
      details: null,
    }
    station.publish('catalogue.audit.recorded.v1', { action: 'video.add', ...audit }, admin.id)
    expect(await client.broadcast('realtime:admin', 'audit')).toMatchObject({
      entry: { action: 'video.add', adminUserId: admin.id },
    })
    station.nats.publish(
      'live.metadata.progress',
      JSON.stringify({ youtubeId: 'dQw4w9WgXcQ', state: 'done', reason: null }),
    )
    expect(await client.broadcast('realtime:admin', 'metadata')).toMatchObject({ state: 'done' })
  })

  it('that make no sense are passed over', async () => {
    const client = await open()
    await client.join(CHAT)
    for (const text of ['', '{', '{}', 'null', JSON.stringify({ id: 1 })])
      station.nats.publish('chat.message.posted.v1', text)
    station.publish('chat.message.removed.v1', { channelId: 'default', messageId: randomUUID(), seq: 9 })
    expect(await client.broadcast(CHAT, 'message_removed')).toMatchObject({ seq: 9 })
  })
})

describe('viewers', () => {
  it('of other gateways are added', async () => {
    station.channels.set('shared', nowState('shared'))
    const counts = { gatewayId: 'other', counts: { shared: 41 } }
    const client = await open()
    await client.join('realtime:stream:shared')
    station.nats.publish('live.viewers.other', JSON.stringify(counts))
    expect(await client.broadcast('realtime:stream:shared', 'viewers')).toEqual({ count: 42 })
    const answer = await fetch(`${station.gateway.url}/api/viewers`)
    expect(await answer.json()).toEqual({ counts: expect.objectContaining({ shared: 42 }) })
  })
})

describe('a session that ends', () => {
  it('is told why and is out within a second, and cannot come back', async () => {
    const person = await station.identity.createUser()
    const topic = `realtime:user:${person.id}`
    const [client, bystander] = [await open(), await open()]
    await client.join(STREAM, { access_token: person.token })
    await client.join(topic, { access_token: person.token })
    await bystander.join(STREAM)
    const startedAtMs = performance.now()
    station.revoke(person)
    const { code } = await client.whenClosed()
    expect(performance.now() - startedAtMs).toBeLessThan(1000)
    expect(code).toBe(4001)
    expect(await client.broadcast(topic, 'session_revoked')).toEqual({ sessionIds: [person.sessionId] })
    expect(client.messages.some(([, , at, event]) => at === topic && event === 'phx_close')).toBe(true)
    const again = await open()
    expect(await again.join(topic, { access_token: person.token })).toMatchObject({ status: 'error' })
    expect(await again.join(STREAM, { access_token: person.token })).toMatchObject({ status: 'ok' })
    expect(bystander.closed).toBeNull()
  })

  it('of submissions reach moderators, and the submitters of a decided one, until the role is gone', async () => {
    const [moderator, submitter] = await Promise.all([
      station.identity.createUser(),
      station.identity.createUser(),
    ])
    const [desk, own] = await Promise.all([open(), open()])
    station.publish('auth.role.changed.v1', { userId: moderator.id, role: 'moderator' })
    const join = () => desk.join('realtime:moderation', { access_token: moderator.token })
    await until('the role is known', async () => (await join()).status === 'ok')
    const stranger = await own.join('realtime:moderation', { access_token: submitter.token })
    expect(stranger.status).toBe('error')
    const topic = `realtime:user:${submitter.id}`
    await own.join(topic, { access_token: submitter.token })
    const videoId = randomUUID()
    const decision = { videoId, state: 'rejected' as const, reason: 'No music' }
    station.publish('catalogue.submission.decided.v1', { ...decision, submitters: [submitter.id] })
    expect(await desk.broadcast('realtime:moderation', 'submissions')).toEqual({ videoId })
    expect(await own.broadcast(topic, 'submission')).toEqual(decision)
    station.publish('auth.role.changed.v1', { userId: moderator.id, role: 'user' })
    await desk.find(([, , left, event]: Message) => left === 'realtime:moderation' && event === 'phx_close')
  })

  it('loses the admin topic with the role', async () => {
    const admin = await station.identity.createUser()
    const client = await open()
    station.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
    await until(
      'the role is known',
      async () => (await client.join('realtime:admin', { access_token: admin.token })).status === 'ok',
    )
    station.publish('auth.role.changed.v1', { userId: admin.id, role: 'moderator' })
    const closed = await client.find(
      ([, , topic, event]: Message) => topic === 'realtime:admin' && event === 'phx_close',
    )
    expect(closed[0]).toBe(closed[1])
    expect(client.closed).toBeNull()
  })
})

describe('a signing key that is revoked', () => {
  it('ends what sockets joined with its tokens, and only that, within a second', async () => {
    const exposed = await station.identity.createUser()
    const kid = station.identity.kid
    const topicOf = (person: { id: string }) => `realtime:user:${person.id}`
    const [victim, visitor, other] = await Promise.all([open(), open(), open()])
    await victim.join(STREAM, { access_token: exposed.token })
    await victim.join(topicOf(exposed), { access_token: exposed.token })
    await visitor.join(STREAM)
    await station.identity.addKey()
    const kept = await station.identity.createUser()
    // Keys are fetched at most once a second.
    await until('the new key is known', async () => {
      const { status } = await other.join(topicOf(kept), { access_token: kept.token })
      return status === 'ok'
    })
    const ended = (client: RawClient): string[] =>
      client.messages.filter(([, , , event]) => event === 'phx_error').map(([, , topic]) => topic)

    const startedAtMs = performance.now()
    station.publish('auth.key.revoked.v1', { kid, untilMs: Date.now() + 3_600_000 })
    await until('the socket has lost both topics', () => ended(victim).length === 2)
    expect(performance.now() - startedAtMs).toBeLessThan(1000)
    expect(ended(victim).sort()).toEqual([STREAM, topicOf(exposed)].sort())
    // Neither the token nor the identity that the socket has shown before opens anything.
    for (const client of [victim, await open()])
      expect(await client.join(topicOf(exposed), { access_token: exposed.token })).toMatchObject({
        status: 'error',
        response: { reason: 'Unauthorized: invalid token' },
      })
    expect(await victim.join(topicOf(exposed))).toMatchObject({ status: 'error' })
    station.publish('auth.role.changed.v1', { userId: exposed.id, role: 'admin' })
    expect(await victim.join('realtime:admin', { access_token: exposed.token })).toMatchObject({
      status: 'error',
    })
    await Promise.all([visitor.settled(), other.settled()])
    expect([...ended(visitor), ...ended(other)]).toEqual([])
  })
})

describe('outages', () => {
  it('of the scheduler do not shut anybody out', async () => {
    await station.scheduler.stop()
    const client = await open()
    expect(await client.join(STREAM)).toMatchObject({ status: 'ok' })
    expect(await client.broadcast(STREAM, 'snapshot')).toMatchObject({ channelId: 'default' })
    station.channels.set('unseen', nowState('unseen'))
    expect(await client.join('realtime:stream:unseen')).toMatchObject({ status: 'ok' })
    await station.scheduler.restart()
    expect(await client.broadcast('realtime:stream:unseen', 'now')).toMatchObject({ channelId: 'unseen' })
  })

  it('of NATS end with a word about what may have been missed', async () => {
    const client = await open()
    await client.join(CHAT)
    await client.broadcast(CHAT, 'snapshot')
    client.messages.length = 0
    station.lastSeq = 1000
    await station.backing.nats.restart()
    expect(await client.broadcast(CHAT, 'snapshot')).toEqual({ lastSeq: 1000 })
    await until('events flow again', () => {
      station.publish('chat.message.posted.v1', { message: chatMessage(1001) })
      return client.messages.some(([, , , , { event }]) => event === 'message')
    })
  })
})
