/**
 * How many chat messages a second one chat process accepts and acknowledges in one channel, each committed,
 * numbered and published; beside a plain Fastify route that accepts the same bodies and stores nothing, in one run.
 * Senders wait for each answer.
 *
 *   node bench/chat-posts.ts [senders …] [--json FILE]      default 1 10 50 200
 */

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@looptide/backing/free-port'
import { connect, jetstreamManager } from '@looptide/service-kit/events/nats-client'
import { bearerOf } from '@looptide/testkit/client'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { startIdentity } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase, startPostgres } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import pg from 'pg'
import { Pool } from 'undici'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'
import { cpuMs } from './sockets/cpu.ts'

const SECONDS = 8
const CHANNEL = 'default'

/** Acknowledged messages a second, and p99 in ms. */
async function measure(url: string, path: string, tokens: readonly string[]) {
  const pool = new Pool(url, { connections: tokens.length, pipelining: 1 })
  const waits: number[] = []
  const began = performance.now()
  const end = began + SECONDS * 1000
  await Promise.all(
    tokens.map(async (token) => {
      while (performance.now() < end) {
        const sent = performance.now()
        const { statusCode, body } = await pool.request({
          path,
          method: 'POST',
          headers: { ...bearerOf(token), 'content-type': 'application/json' },
          body: JSON.stringify({ clientId: randomUUID(), message: 'Hello from the other side of the room' }),
        })
        const text = await body.text()
        if (statusCode !== 201) throw new Error(`status ${statusCode}: ${text}`)
        waits.push(performance.now() - sent)
      }
    }),
  )
  const tookS = (performance.now() - began) / 1000
  await pool.close()
  waits.sort((a, b) => a - b)
  const at = (share: number): number => rounded(waits[Math.floor(waits.length * share)] ?? 0, 1)
  return { count: waits.length, perSecond: Math.round(waits.length / tookS), p50: at(0.5), p99: at(0.99) }
}

const { sizes, json } = benchArguments([1, 10, 50, 200])
const [postgres, natsServer, identity] = await Promise.all([
  startPostgres({ isDurable: true }),
  startNats(),
  startIdentity(),
])
const database = await freshDatabase(postgres.url)
const env = {
  ...process.env,
  PORT: String(await freePort()),
  LOG_LEVEL: 'warn',
  DATABASE_URL: database.urlFor('chat'),
  NATS_URL: natsServer.url,
  AUTH_URL: identity.authUrl,
  INTERNAL_TOKEN: identity.internalToken,
  ...eventKeyEnv('chat'),
  RATE_LIMIT_FACTOR: '1000000',
}
const chatFile = (name: string): string =>
  fileURLToPath(new URL(`../services/chat/src/${name}`, import.meta.url))
const children: ChildProcess[] = []

try {
  const accounts = await Promise.all(Array.from({ length: Math.max(...sizes) }, () => identity.createUser()))
  const tokens = accounts.map((account) => account.token)
  const migrating = spawn(process.execPath, [chatFile('migrate.ts')], { env, stdio: 'ignore' })
  await once(migrating, 'exit')
  const sql = new pg.Client(database.urlFor('chat'))
  await sql.connect()
  await sql.query(`insert into channels (id, version) values ('${CHANNEL}', 1)`)
  for (const { id } of accounts) {
    await sql.query(
      'insert into profiles (user_id, handle, version, is_established) values ($1, $2, 1, true)',
      [id, 'somebody'],
    )
  }
  const chat = spawn(process.execPath, [chatFile('main.ts')], { env, stdio: 'inherit' })
  children.push(chat)
  const url = `http://127.0.0.1:${env.PORT}`
  const path = `/api/chat/channels/${CHANNEL}/messages`
  await until('chat is ready', async () => (await fetch(`${url}/readyz`)).ok, { timeoutMs: 20_000 })
  const bare = fork(new URL('./chat-posts-bare.ts', import.meta.url), [], { stdio: 'inherit' })
  children.push(bare)
  const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]

  console.log(`${machine()}, ${SECONDS} s each`)
  const rows: BenchRow[] = []
  let stored = 0
  for (const senders of sizes) {
    const theirs = await measure(bareUrl, path, tokens.slice(0, senders))
    const cpuBefore = cpuMs(chat.pid)
    const ours = await measure(url, path, tokens.slice(0, senders))
    const cpu = cpuMs(chat.pid) - cpuBefore
    stored += ours.count
    rows.push({
      bench: 'chat-posts',
      input: { senders },
      figures: {
        messagesPerSecond: ours.perSecond,
        p50Ms: ours.p50,
        p99Ms: ours.p99,
        cpuMsPer1000: rounded((cpu / ours.count) * 1000),
        barePerSecond: theirs.perSecond,
        ratio: rounded(ours.perSecond / theirs.perSecond, 2),
      },
    })
  }
  console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
  if (json !== undefined) writeRows(json, rows)
  const began = performance.now()
  await until(
    'all events are published',
    async () => (await sql.query('select 1 from outbox limit 1')).rowCount === 0,
    {
      timeoutMs: 120_000,
    },
  )
  const { rows: kept } = await sql.query<{ messages: string; last: string }>(
    'select (select count(*) from live_chat_messages) as messages, (select max(last_seq) from channels) as last',
  )
  const nats = await connect({ servers: new URL(natsServer.url).host })
  const { state } = await (await jetstreamManager(nats)).streams.info('CHAT')
  await nats.close()
  console.log(
    `acknowledged ${stored}, stored ${kept[0]?.messages}, last number ${kept[0]?.last}, published in ${state.messages} events` +
      ` (the last ${Math.round(performance.now() - began)} ms after the last answer)`,
  )
  await sql.end()
} finally {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([postgres.stop(), natsServer.stop(), identity.stop()])
}
