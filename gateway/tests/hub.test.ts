import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { oneWithin } from '@looptide/testkit/one-within'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, nowState, startGatewayHarness } from './_harness.ts'
import { type Message, RawClient } from './_raw-client.ts'

let harness: GatewayHarness
const clients: RawClient[] = []

beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

async function open(query?: string): Promise<RawClient> {
  const client = new RawClient(harness.realtimeUrl, query)
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

describe('joins', () => {
  it('get a snapshot of the channel at once', async () => {
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

  it('fetch a channel from the scheduler once, at any number of viewers', async () => {
    harness.channels.set('busy', nowState('busy'))
    const many = await Promise.all(Array.from({ length: 20 }, () => open()))
    await Promise.all(many.map((client) => client.join('realtime:stream:busy')))
    await Promise.all(many.map((client) => client.broadcast('realtime:stream:busy', 'snapshot')))
    expect(harness.scheduler.requests.filter(({ url }) => url.includes('/busy/'))).toHaveLength(1)
  })

  it('get the sequence number of the newest chat message', async () => {
    const client = await open()
    await client.join(CHAT)
    expect(await client.broadcast(CHAT, 'snapshot')).toEqual({ lastSeq: 7 })
  })

  it('are refused for an unknown channel', async () => {
    const client = await open()
    expect(await client.join('realtime:stream:nowhere')).toMatchObject({
      status: 'error',
      response: { reason: 'channel not found' },
    })
    expect(await client.join('realtime:chat:nowhere')).toMatchObject({ status: 'error' })
  })
})

describe('broadcasts of viewers', () => {
  it('clock and poll are answered to the requesting socket only', async () => {
    const [sender, other] = [await open(), await open()]
    const { joinRef } = await sender.join(STREAM)
    await other.join(STREAM)
    const send = (event: string, payload: unknown) =>
      sender.send(STREAM, 'broadcast', { type: 'broadcast', event, payload }, joinRef)
    const sentAtMs = Date.now()
    send('clock', { sentAtMs: 12.5 })
    send('poll', { timelineVersion: 0, health: true })
    const clock = await sender.broadcast(STREAM, 'clock')
    expect(clock.sentAtMs).toBe(12.5)
    expect(Number(clock.serverNowMs)).toBeGreaterThan(sentAtMs - 2000)
    expect(Number(clock.serverNowMs)).toBeLessThan(Date.now() + 2000)
    expect(await sender.broadcast(STREAM, 'poll')).toEqual({
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

  it('a reaction is acknowledged and reaches all viewers with the others of its second; unknown ones are refused', async () => {
    const [sender, other] = [await open(), await open()]
    const { joinRef } = await sender.join(STREAM, { config: { broadcast: { ack: true } } })
    await other.join(STREAM)
    const react = (emoji: unknown) =>
      sender.send(STREAM, 'broadcast', { type: 'broadcast', event: 'react', payload: { emoji } }, joinRef)
    react('🔥')
    react('🔥')
    // A second may begin between the two.
    const received = (client: RawClient) =>
      client.messages
        .filter(([, , , , { event }]) => event === 'reactions')
        .map(([, , , , { payload }]) => payload as { airingId: string; counts: Record<string, number> })
    for (const client of [sender, other]) {
      await until('both reactions have arrived', () => {
        const sum = received(client).reduce((total, { counts }) => total + (counts['🔥'] ?? 0), 0)
        return sum === 2
      })
      expect(received(client)[0]?.airingId).toBe(nowState('default').programmes[0]?.id)
    }
    for (const emoji of ['💣', '', 7, null]) react(emoji)
    await sender.settled()
    // Without the replies to the join and to `settled`.
    const replies = sender.messages.filter(([, , , event]) => event === 'phx_reply').slice(-7, -1)
    expect(replies.map(([, , , , payload]) => payload.status)).toEqual([
      ...['ok', 'ok'],
      ...['error', 'error', 'error', 'error'],
    ])
  })

  it('a binary poll with the current timeline version is answered with the time only, as a binary frame', async () => {
    const sender = await open()
    const { joinRef } = await sender.join(STREAM)
    const request = JSON.stringify({ timelineVersion: 1 })
    const names = [joinRef, '9', STREAM, 'poll']
    const head = Buffer.from([3, ...names.map((name) => name.length), 0, 1])
    sender.socket.send(Buffer.concat([head, ...[...names, request].map((text) => Buffer.from(text))]))
    const answer = await until('the poll is answered', () => sender.binary[0])
    const prefix = Buffer.concat([
      Buffer.from([4, STREAM.length, 'poll'.length, 0, 1]),
      Buffer.from(`${STREAM}poll`),
    ])
    expect(answer.subarray(0, prefix.length)).toEqual(prefix)
    expect(JSON.parse(answer.subarray(prefix.length).toString())).toEqual({ serverNowMs: expect.any(Number) })
  })

  it.each([STREAM, CHAT, 'realtime:station'])('are refused on %s', async (topic) => {
    const [sender, listener] = [await open(), await open()]
    const { joinRef } = await sender.join(topic)
    await listener.join(topic)
    const ref = sender.send(
      topic,
      'broadcast',
      { type: 'broadcast', event: 'message', payload: { x: 1 } },
      joinRef,
    )
    expect(await sender.reply(ref)).toMatchObject({
      status: 'error',
      response: { reason: expect.stringMatching(/^Unauthorized/) },
    })
    const track = sender.send(topic, 'presence', { type: 'presence', event: 'track', payload: {} }, joinRef)
    expect(await sender.reply(track)).toMatchObject({ status: 'error' })
    await listener.settled()
    expect(listener.messages.some(([, , , , { event }]) => event === 'message')).toBe(false)
  })
})

describe('events', () => {
  it('reach their topic, in order and once', async () => {
    const [member, otherMember] = [await open(), await open()]
    await member.join(CHAT)
    await otherMember.join('realtime:chat:test-card')
    await member.broadcast(CHAT, 'snapshot')
    for (let seq = 8; seq < 258; seq += 1)
      harness.publish('chat.message.posted.v1', { message: chatMessage(seq) })
    const together = Array.from({ length: 50 }, (_, index) => chatMessage(258 + index))
    harness.publish('chat.messages.posted.v1', { messages: together })
    const seqs = () =>
      member.messages
        .filter(([, , , , { event }]) => event === 'message')
        .map(([, , , , { payload }]) => (payload as { message: { seq: number } }).message.seq)
    await until('all are received', () => seqs().length >= 300)
    expect(seqs()).toEqual(Array.from({ length: 300 }, (_, index) => index + 8))
    await otherMember.settled()
    expect(otherMember.messages.some(([, , , , { event }]) => event === 'message')).toBe(false)
    const late = await open()
    await late.join(CHAT)
    expect(await late.broadcast(CHAT, 'snapshot')).toEqual({ lastSeq: 307 })
  })

  it('of a new timeline bring the new state to members and to later joins', async () => {
    const client = await open()
    await client.join(STREAM)
    await client.broadcast(STREAM, 'snapshot')
    harness.channels.set('default', nowState('default', { timelineVersion: 2 }))
    harness.publish('stream.timeline.changed.v1', { channelId: 'default', timelineVersion: 2, fromSeq: 1 })
    expect(await client.broadcast(STREAM, 'now')).toMatchObject({ timelineVersion: 2 })
    const late = await open()
    await late.join(STREAM)
    expect(await late.broadcast(STREAM, 'snapshot')).toMatchObject({ timelineVersion: 2 })
  })

  it('of the station reach every client', async () => {
    const client = await open()
    await client.join('realtime:station')
    harness.publish('stream.channel.created.v1', { channelId: 'new', name: 'New', isActive: true })
    expect(await client.broadcast('realtime:station', 'channels')).toEqual({ channel: { id: 'new' } })
  })

  it('of timelines and channels reach members of the guide topic', async () => {
    const client = await open()
    await client.join('realtime:guide')
    const [channelId, timelineVersion] = ['default', 3]
    harness.publish('stream.timeline.extended.v1', { channelId, timelineVersion, endsAtMs: 5 })
    expect(await client.broadcast('realtime:guide', 'changed')).toEqual({
      channelId,
      timelineVersion,
      endsAtMs: 5,
    })
    client.messages.length = 0
    harness.publish('stream.timeline.changed.v1', { channelId, timelineVersion, fromSeq: 1 })
    expect(await client.broadcast('realtime:guide', 'changed')).toEqual({ channelId, timelineVersion })
  })

  it('of slow mode reach the channel’s chat', async () => {
    const client = await open()
    await client.join(CHAT)
    harness.publish('chat.settings.changed.v1', { channelId: 'default', slowModeS: 30 })
    expect(await client.broadcast(CHAT, 'settings')).toEqual({ slowModeS: 30 })
  })

  it('of audit and jobs reach admins only', async () => {
    const admin = await harness.identity.createUser('admin')
    await until('the role is effective', async () => {
      harness.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
      const client = await open()
      return (await client.join('realtime:admin', { access_token: admin.token })).status === 'ok'
    })
    const client = clients.at(-1) as RawClient
    expect((await client.join('realtime:audit', { access_token: admin.token })).status).toBe('ok')
    const audit = {
      targetType: 'video',
      targetId: 'a-video',
      targetUserId: null,
      before: null,
      after: null,
      details: null,
    }
    harness.publish('catalogue.audit.recorded.v1', { action: 'video.add', ...audit }, admin.id)
    expect(await client.broadcast('realtime:audit', 'entry')).toMatchObject({
      entry: { action: 'video.add', adminUserId: admin.id },
    })
    // All members of the topic receive what was changed, but not by whom.
    expect(await client.broadcast('realtime:admin', 'change')).toEqual({
      action: 'video.add',
      targetId: 'a-video',
    })
    // Of the states that are sent together none is left out: a look-up counts from its start on.
    const states = ['queued', 'fetching', 'done']
    for (const state of states) {
      const progress = { youtubeId: 'dQw4w9WgXcQ', state, reason: null }
      harness.nats.publish('live.metadata.progress', JSON.stringify(progress))
    }
    const last = { youtubeId: 'dQw4w9WgXcQ', state: 'done' }
    await client.find(
      ([, , , event, { event: name, payload }]) =>
        event === 'broadcast' && name === 'metadata' && isDeepStrictEqual({ ...last, reason: null }, payload),
    )
    const received = client.messages.flatMap(([, , , , { event, payload }]) =>
      event === 'metadata' ? [(payload as { state: string }).state] : [],
    )
    expect(received).toEqual(states)
    const videoIds = Array.from({ length: 30 }, () => randomUUID())
    harness.publish('catalogue.videos.removed.v1', { videoIds })
    expect(await client.broadcast('realtime:admin', 'batch')).toEqual({
      event: 'video_removed',
      payloads: videoIds.map((videoId) => ({ videoId })),
    })
  })

  it('that are malformed are ignored', async () => {
    const client = await open()
    await client.join(CHAT)
    for (const text of ['', '{', '{}', 'null', JSON.stringify({ id: 1 })])
      harness.nats.publish('chat.message.posted.v1', text)
    harness.publish('chat.message.removed.v1', { channelId: 'default', messageId: randomUUID(), seq: 9 })
    expect(await client.broadcast(CHAT, 'message_removed')).toMatchObject({ seq: 9 })
  })
})

describe('viewers', () => {
  it('of other gateways are included in the count', async () => {
    harness.channels.set('shared', nowState('shared'))
    const counts = { gatewayId: 'other', counts: { shared: 41 } }
    const client = await open()
    await client.join('realtime:stream:shared')
    harness.nats.publish('live.viewers.other', JSON.stringify(counts))
    // The gateway's own viewer may be published before.
    await client.find(
      ([, , , , { event, payload }]) => event === 'viewers' && (payload as { count: number }).count === 42,
    )
    const answer = await fetch(`${harness.gateway.url}/api/viewers`)
    expect(await answer.json()).toEqual({ counts: expect.objectContaining({ shared: 42 }) })
  })
})

describe('a paired TV', () => {
  it('gets the commands of its user’s phone within 300 ms, none of another account, and has no role', async () => {
    const owner = await harness.identity.createUser('admin')
    const tv = await harness.identity.createUser('user', { id: owner.id, isDevice: true })
    const stranger = await harness.identity.createUser()
    harness.publish('auth.role.changed.v1', { userId: owner.id, role: 'admin' })
    const topic = `realtime:user:${owner.id}`
    const [television, phone, other] = [await open(), await open(), await open()]
    expect(await television.join(topic, { access_token: tv.token })).toMatchObject({ status: 'ok' })
    const { joinRef } = await phone.join(topic, { access_token: owner.token })
    expect(await other.join(topic, { access_token: stranger.token })).toMatchObject({ status: 'error' })
    const command = (kind: string) => ({
      type: 'broadcast',
      event: 'tv_command',
      payload: { tv: tv.sessionId, command: { kind } },
    })
    other.send(topic, 'broadcast', command('guide'), '1')
    await other.settled()
    await oneWithin(300, async () => {
      television.messages.length = 0
      const sentAtMs = performance.now()
      phone.send(topic, 'broadcast', command('mute'), joinRef)
      expect(await television.broadcast(topic, 'tv_command')).toEqual(command('mute').payload)
      return performance.now() - sentAtMs
    })
    await until('the owner is an admin', async () => {
      const { status } = await phone.join('realtime:admin', { access_token: owner.token })
      return status === 'ok'
    })
    expect(await television.join('realtime:admin', { access_token: tv.token })).toMatchObject({
      status: 'error',
    })
  })

  it('says to the other sessions of its user that it is on, and nothing that would pass for the station', async () => {
    const owner = await harness.identity.createUser()
    const tv = await harness.identity.createUser('user', { id: owner.id, isDevice: true })
    const topic = `realtime:user:${owner.id}`
    const [television, phone] = [await open(), await open()]
    const { joinRef } = await television.join(topic, { access_token: tv.token })
    await phone.join(topic, { access_token: owner.token })
    const forged = { sessionIds: [owner.sessionId] }
    const say = (event: string, payload: object) =>
      television.send(topic, 'broadcast', { type: 'broadcast', event, payload }, joinRef)
    say('session_revoked', forged)
    const messages = [{ topic: topic.replace('realtime:', ''), event: 'session_revoked', payload: forged }]
    const overHttp = await fetch(`${harness.gateway.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tv.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages }),
    })
    expect(overHttp.status).toBe(403)
    say('tv_here', { tv: tv.sessionId })
    expect(await phone.broadcast(topic, 'tv_here')).toEqual({ tv: tv.sessionId })
    expect(JSON.stringify(phone.messages)).not.toContain('session_revoked')
  })
})

describe('a revoked session', () => {
  it('is notified and closed within a second, and cannot join again', async () => {
    const bystander = await open()
    await bystander.join(STREAM)
    await oneWithin(1000, () => revokeSession(bystander))
  })

  /** Checks what a user meets whose session is revoked. Returns the time until the socket is closed, in ms. */
  async function revokeSession(bystander: RawClient): Promise<number> {
    const user = await harness.identity.createUser()
    const topic = `realtime:user:${user.id}`
    const client = await open()
    await client.join(STREAM, { access_token: user.token })
    await client.join(topic, { access_token: user.token })
    const startedAtMs = performance.now()
    harness.revoke(user)
    const { code } = await client.whenClosed()
    const tookMs = performance.now() - startedAtMs
    expect(code).toBe(4001)
    expect(await client.broadcast(topic, 'session_revoked')).toEqual({ sessionIds: [user.sessionId] })
    expect(client.messages.some(([, , at, event]) => at === topic && event === 'phx_close')).toBe(true)
    const again = await open()
    expect(await again.join(topic, { access_token: user.token })).toMatchObject({ status: 'error' })
    expect(await again.join(STREAM, { access_token: user.token })).toMatchObject({ status: 'ok' })
    expect(bystander.closed).toBeNull()
    return tookMs
  }
})

describe('a session with newer tokens', () => {
  it('ends its memberships with older ones, which join again with a current token', async () => {
    const user = await harness.identity.createUser('user', { generation: 2 })
    const topic = `realtime:user:${user.id}`
    const client = await open()
    await client.join(topic, { access_token: user.token })
    const raise = (minGeneration: number) =>
      harness.publish('auth.session.revoked.v1', {
        userId: user.id,
        sessionIds: [],
        untilMs: Date.now() + 3_600_000,
        outdated: [{ id: user.sessionId, minGeneration }],
      })
    raise(2)
    raise(3)
    await client.find(([, , at, event]: Message) => at === topic && event === 'phx_error')
    expect(await client.join(topic, { access_token: user.token })).toMatchObject({ status: 'error' })
    const { id, sessionId } = user
    const current = await harness.identity.createUser('user', { id, sessionId, generation: 3 })
    expect(await client.join(topic, { access_token: current.token })).toMatchObject({ status: 'ok' })
    expect(client.closed).toBeNull()
  })
})

describe('role topics', () => {
  it('deliver submissions to moderators until they lose the role, and decisions to submitters', async () => {
    const [moderator, submitter] = await Promise.all([
      harness.identity.createUser(),
      harness.identity.createUser(),
    ])
    const [moderatorClient, submitterClient] = await Promise.all([open(), open()])
    harness.publish('auth.role.changed.v1', { userId: moderator.id, role: 'moderator' })
    const join = () => moderatorClient.join('realtime:moderation', { access_token: moderator.token })
    await until('the role is effective', async () => (await join()).status === 'ok')
    const refused = await submitterClient.join('realtime:moderation', { access_token: submitter.token })
    expect(refused.status).toBe('error')
    const topic = `realtime:user:${submitter.id}`
    await submitterClient.join(topic, { access_token: submitter.token })
    const videoId = randomUUID()
    const decision = { videoId, state: 'rejected' as const, reason: 'No music' }
    harness.publish('catalogue.submission.decided.v1', { ...decision, submitters: [submitter.id] })
    expect(await moderatorClient.broadcast('realtime:moderation', 'submissions')).toEqual({ videoId })
    expect(await submitterClient.broadcast(topic, 'submission')).toEqual(decision)
    harness.publish('auth.role.changed.v1', { userId: moderator.id, role: 'user' })
    await moderatorClient.find(
      ([, , closedTopic, event]: Message) => closedTopic === 'realtime:moderation' && event === 'phx_close',
    )
  })

  it('are closed when the user loses the role', async () => {
    const admin = await harness.identity.createUser()
    const client = await open()
    harness.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
    await until(
      'the role is known',
      async () => (await client.join('realtime:admin', { access_token: admin.token })).status === 'ok',
    )
    harness.publish('auth.role.changed.v1', { userId: admin.id, role: 'moderator' })
    const closed = await client.find(
      ([, , topic, event]: Message) => topic === 'realtime:admin' && event === 'phx_close',
    )
    expect(closed[0]).toBe(closed[1])
    expect(client.closed).toBeNull()
  })
})

describe('a revoked signing key', () => {
  it('ends only the memberships of its tokens, within a second', () => oneWithin(1000, revokeKey))

  /** Checks what becomes of memberships whose key is revoked. Returns the time until they have ended, in ms. */
  async function revokeKey(): Promise<number> {
    const exposed = await harness.identity.createUser()
    const kid = harness.identity.kid
    const topicOf = (user: { id: string }) => `realtime:user:${user.id}`
    const [affected, visitor, other] = await Promise.all([open(), open(), open()])
    await affected.join(STREAM, { access_token: exposed.token })
    await affected.join(topicOf(exposed), { access_token: exposed.token })
    await visitor.join(STREAM)
    await harness.identity.addKey()
    const kept = await harness.identity.createUser()
    // Keys are fetched at most once a second.
    await until('the new key is known', async () => {
      const { status } = await other.join(topicOf(kept), { access_token: kept.token })
      return status === 'ok'
    })
    const ended = (client: RawClient): string[] =>
      client.messages.filter(([, , , event]) => event === 'phx_error').map(([, , topic]) => topic)

    const startedAtMs = performance.now()
    harness.publish('auth.key.revoked.v1', { kid, untilMs: Date.now() + 3_600_000 })
    await until('the socket has lost both topics', () => ended(affected).length === 2)
    const tookMs = performance.now() - startedAtMs
    expect(ended(affected).sort()).toEqual([STREAM, topicOf(exposed)].sort())
    // Neither the token nor the identity that the socket presented before allows a join.
    for (const client of [affected, await open()])
      expect(await client.join(topicOf(exposed), { access_token: exposed.token })).toMatchObject({
        status: 'error',
        response: { reason: 'Unauthorized: invalid token' },
      })
    expect(await affected.join(topicOf(exposed))).toMatchObject({ status: 'error' })
    harness.publish('auth.role.changed.v1', { userId: exposed.id, role: 'admin' })
    expect(await affected.join('realtime:admin', { access_token: exposed.token })).toMatchObject({
      status: 'error',
    })
    await Promise.all([visitor.settled(), other.settled()])
    expect([...ended(visitor), ...ended(other)]).toEqual([])
    return tookMs
  }
})

describe('outages', () => {
  it('of the scheduler do not prevent joins', async () => {
    await harness.scheduler.stop()
    const client = await open()
    expect(await client.join(STREAM)).toMatchObject({ status: 'ok' })
    expect(await client.broadcast(STREAM, 'snapshot')).toMatchObject({ channelId: 'default' })
    harness.channels.set('unseen', nowState('unseen'))
    expect(await client.join('realtime:stream:unseen')).toMatchObject({ status: 'ok' })
    await harness.scheduler.restart()
    expect(await client.broadcast('realtime:stream:unseen', 'now')).toMatchObject({ channelId: 'unseen' })
  })

  it('of NATS are followed by snapshots that reveal missed messages', async () => {
    const client = await open()
    await client.join(CHAT)
    await client.broadcast(CHAT, 'snapshot')
    client.messages.length = 0
    harness.lastSeq = 1000
    await harness.backing.nats.restart()
    expect(await client.broadcast(CHAT, 'snapshot')).toEqual({ lastSeq: 1000 })
    await until('events flow again', () => {
      harness.publish('chat.message.posted.v1', { message: chatMessage(1001) })
      return client.messages.some(([, , , , { event }]) => event === 'message')
    })
  })
})
