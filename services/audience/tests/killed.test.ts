import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { clientOf } from '@looptide/testkit/client'
import { freePort } from '@looptide/testkit/free-port'
import { startFakePushService } from '@looptide/testkit/push-service'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { env as inherited } from '../src/config.ts'
import { type AudienceHarness, startAudienceHarness, type Viewer } from './_harness.ts'

// Longer than most files: processes of their own start and end seven times, each of which takes seconds.
const longWait = { timeoutMs: 60_000 }
const running: ChildProcess[] = []
let harness: AudienceHarness
let moderator: Viewer
let viewers: Viewer[]
let urls: string[]

beforeAll(async () => {
  harness = await startAudienceHarness()
  moderator = await harness.join({ role: 'moderator' })
  // Five count of one network.
  viewers = await Promise.all([1, 2, 3, 4, 5].map(() => harness.join()))
  urls = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`)
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await harness.stop()
})

/** Starts a replica in a process of its own, as in production. Returns a function that kills it at once. */
async function startReplica(url: string): Promise<() => Promise<void>> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const env = { ...inherited, ...harness.env, PORT: new URL(url).port, RATE_LIMIT_FACTOR: '1000' }
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' })
  running.push(child)
  await until('the replica is ready', async () => (await fetch(`${url}/readyz`)).ok, longWait)
  return async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }
}

/** Tries a request at the replicas in turn until one answers, and returns its answer. */
async function answered(viewer: Viewer, send: (client: Viewer['client']) => Promise<Response>) {
  for (let attempt = 0; ; attempt += 1) {
    const client = clientOf(urls[attempt % urls.length] ?? '', viewer.user.token)
    const answer = await send(client).catch(() => null)
    if (answer !== null && answer.status < 500) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Does something again and again while replicas are killed and started, and meanwhile. */
async function whileReplicasAreKilled(act: (n: number) => Promise<void>): Promise<void> {
  let done = 0
  let isOver = false
  const acting = (async () => {
    for (; !isOver; done += 1) await act(done)
  })()
  const more = async (count: number) => {
    const before = done
    await until(`${count} more are acknowledged`, () => Promise.resolve(done >= before + count), longWait)
  }
  const kills = await Promise.all(urls.map(startReplica))
  await more(20)
  await kills[0]?.()
  await more(20)
  const again = await startReplica(urls[0] ?? '')
  await more(5)
  await kills[1]?.()
  await more(20)
  isOver = true
  await acting
  await again()
}

it('acknowledged votes and likes are neither lost nor doubled when replicas are killed, and the poll closes once', {
  timeout: 180_000,
}, async () => {
  const body = { question: 'Which?', answers: ['0', '1', '2'], durationS: 3600 }
  const { id } = await moderator.client.call('POST /api/channels/:id/polls', {
    params: { id: 'default' },
    body,
  })
  const videoId = randomUUID()
  const given = viewers.map(() => ({ answer: 0, likes: false }))
  await whileReplicasAreKilled(async (n) => {
    await Promise.all(
      viewers.map(async (viewer, index) => {
        const answer = (n + index) % 3
        const likes = (n + index) % 2 === 0
        const vote = { params: { id }, body: { answer } }
        const like = likes ? 'PUT /api/videos/:id/like' : 'DELETE /api/videos/:id/like'
        const answers = [
          await answered(viewer, (client) => client.send('PUT /api/polls/:id/vote', vote)),
          await answered(viewer, (client) => client.send(like, { params: { id: videoId } })),
        ]
        expect(answers.map(({ status }) => status)).toEqual([200, 200])
        given[index] = { answer, likes }
      }),
    )
  })

  const { db, nats } = harness
  const rows = await db.selectFrom('likes').select('userId').where('videoId', '=', videoId).execute()
  const liking = viewers.filter((_, index) => given[index]?.likes).map(({ user }) => user.id)
  expect(rows.map(({ userId }) => userId).toSorted()).toEqual(liking.toSorted())
  const video = await db
    .selectFrom('likedVideos')
    .select('likeCount')
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  expect(video?.likeCount).toBe(liking.length)

  // The poll's time is over while no replica runs.
  const closesAt = new Date(Date.now() - 1000)
  await db.updateTable('polls').set({ closesAt }).where('id', '=', id).execute()
  const kills = await Promise.all(urls.map(startReplica))
  const closed = async () =>
    (await eventsOf(nats, 'audience.poll.closed.v1')).filter(({ data }) => data.poll.id === id)
  await until('the result is published', async () => (await closed()).length > 0, longWait)
  await Promise.all(kills.map((kill) => kill()))
  const results = await closed()
  expect(new Set(results.map((event) => event.id)).size).toBe(1)
  const counts = results[0]?.data.poll.answers.map(({ votes }) => votes)
  expect(counts).toEqual([0, 1, 2].map((index) => given.filter(({ answer }) => answer === index).length))
})

it('a reminder is decided once, and shown once, when the replica that pushes it is killed', {
  timeout: 60_000,
}, async () => {
  const { db, nats, config } = harness
  const { user, client } = viewers[0]!
  const pushService = await startFakePushService()
  const device = pushService.subscribe(config.vapidKeys!.publicKey)
  const { endpoint, keys } = device
  await client.call('POST /api/me/push-subscriptions', { body: { endpoint, keys } })
  const kill = await startReplica(urls[0] ?? '')
  const killed = Promise.withResolvers<void>()
  pushService.beforeAnswer = () => kill().then(killed.resolve)

  const channelId = 'default'
  const startsAtMs = Date.now() + 1000
  const programme = {
    ...{
      id: 'next',
      videoId: randomUUID(),
      title: 'Song',
      artistName: 'Singer',
      blockId: null,
      blockName: null,
    },
    ...{ startsAtMs, endsAtMs: startsAtMs + 3_600_000 },
  }
  harness.announced = () => ({
    ...{ channelId, name: 'Rock', isActive: true, timelineVersion: 1, programmes: [programme] },
    ...{ laterBlocks: [], specials: [] },
  })
  const body = { kind: 'programme', channelId, ref: programme.id, minutesBefore: 0 } as const
  await client.call('PUT /api/me/reminders', { body })
  await killed.promise
  expect(device.received).toHaveLength(1)

  pushService.beforeAnswer = () => undefined
  // The time has passed for which the killed replica has taken the push.
  const waiting = await db
    .updateTable('pushDeliveries')
    .set({ nextAttemptAt: new Date() })
    .returning('attempts')
    .execute()
  expect(waiting).toEqual([{ attempts: 1 }])
  const killNext = await startReplica(urls[1] ?? '')
  const isSent = async () =>
    (await db.selectFrom('pushDeliveries').select('id').executeTakeFirst()) === undefined
  await until('the push is sent again', isSent, longWait)
  const notices = async () =>
    (await eventsOf(nats, 'audience.reminder.due.v1')).filter(({ data }) => data.userId === user.id)
  await until('the notice is published', async () => (await notices()).length > 0, longWait)
  await killNext()
  expect(device.received).toHaveLength(2)
  expect(device.shown.size).toBe(1)
  expect(new Set((await notices()).map(({ id }) => id)).size).toBe(1)
  await pushService.stop()
})
