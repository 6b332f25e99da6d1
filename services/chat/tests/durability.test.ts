import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import type { Backing } from '@looptide/testkit/backing'
import { freePort } from '@looptide/testkit/free-port'
import type { TestUser } from '@looptide/testkit/identity'
import { startPostgres } from '@looptide/testkit/postgres'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { env as inherited } from '../src/config.ts'
import { ChatClient, type ChatHarness, postedMessages, startChatHarness } from './_harness.ts'

const SENDERS = 10
// Six processes start and end in this test, possibly next to other tests on a loaded machine.
const longWait = { timeoutMs: 60_000 }
let postgres: Backing
let harness: ChatHarness
let senders: TestUser[]
const running: ChildProcess[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  harness = await startChatHarness(postgres)
  senders = await Promise.all(Array.from({ length: SENDERS }, () => harness.identity.createUser()))
  await harness.publish('stream.channel.created.v1', 'default', {
    channelId: 'default',
    name: 'D',
    isActive: true,
  })
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await harness.stop()
  await postgres.stop()
})

/** A replica of the chat service in a process of its own, as in production. */
class Replica {
  readonly port: number
  #child: ChildProcess | undefined

  constructor(port: number) {
    this.port = port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
    const child = spawn(process.execPath, [main], {
      env: { ...inherited, ...harness.env, PORT: String(this.port), RATE_LIMIT_FACTOR: '1000' },
      stdio: 'ignore',
    })
    running.push(child)
    this.#child = child
    await until('the replica is ready', async () => (await fetch(`${this.url}/readyz`)).ok, longWait)
    await until(
      'the replica has the channel',
      async () => (await new ChatClient(this.url, null).read('default')) !== null,
      longWait,
    )
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (child === undefined) return null
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill(signal)
    return exited
  }
}

/** Posts messages until `isOver`, each with retries until a replica acknowledges it. Returns the acknowledged ones. */
async function postMessages(
  person: TestUser,
  replicas: readonly Replica[],
  isOver: () => boolean,
): Promise<ChatMessage[]> {
  const acknowledged: ChatMessage[] = []
  for (let n = 0; !isOver(); n += 1) {
    const clientId = randomUUID()
    for (let attempt = 0; ; attempt += 1) {
      const client = new ChatClient(replicas[(n + attempt) % replicas.length]!.url, person)
      const answer = await client.post('default', `${n} of ${person.id}`, clientId).catch(() => null)
      if (answer !== null && answer.status < 300) {
        acknowledged.push(answer.body)
        break
      }
      if (answer !== null && answer.status < 500) throw new Error(`refused with ${answer.status}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return acknowledged
}

async function readAll(url: string): Promise<ChatMessage[]> {
  const client = new ChatClient(url, null)
  const all: ChatMessage[] = []
  for (;;) {
    const { items } = await client.read('default', `?after=${all.at(-1)?.seq ?? 0}&limit=100`)
    if (items.length === 0) return all
    all.push(...items)
  }
}

describe('an acknowledged message', () => {
  it('is stored once and in order while replicas, NATS and Postgres are killed', {
    timeout: 300_000,
  }, async () => {
    // A restarted replica listens at its former port.
    const [replica1, replica2] = [new Replica(await freePort()), new Replica(await freePort())]
    await Promise.all([replica1.start(), replica2.start()])
    let isOver = false
    const posting = Promise.all(
      senders.map((person) => postMessages(person, [replica1, replica2], () => isOver)),
    )
    const waitForMessages = async (added: number): Promise<void> => {
      const count = async (): Promise<number> =>
        (await harness.db.selectFrom('channels').select('lastSeq').executeTakeFirst())?.lastSeq ?? 0
      const before = await until('the database answers', count, longWait)
      await until(`${added} more messages are stored`, async () => (await count()) >= before + added, {
        ...longWait,
      })
    }
    await waitForMessages(50)
    await replica1.end('SIGKILL')
    await waitForMessages(50)
    await replica1.start()
    await replica2.end('SIGKILL')
    await waitForMessages(50)
    await replica2.start()
    harness.natsServer.kill()
    await waitForMessages(50)
    await harness.natsServer.restart()
    await waitForMessages(50)
    postgres.kill()
    await postgres.restart()
    await waitForMessages(50)
    expect(await replica1.end('SIGTERM')).toBe(0)
    await waitForMessages(50)
    await replica1.start()
    isOver = true
    const acknowledged = (await posting).flat()

    const stored = await readAll(replica2.url)
    expect(stored.map((message) => message.seq)).toEqual(stored.map((_message, i) => i + 1))
    expect(new Set(stored.map((message) => message.message)).size).toBe(stored.length)
    const byId = new Map(stored.map((message) => [message.id, message]))
    for (const message of acknowledged) expect(byId.get(message.id)).toEqual(message)
    expect(stored).toHaveLength(acknowledged.length)

    await until(
      'the outbox is empty',
      async () => {
        const unpublished = await harness.db.selectFrom('outbox').select('seq').limit(1).execute()
        return unpublished.length === 0
      },
      longWait,
    )
    const published = postedMessages(await contentsOf(harness.nats, 'CHAT'))
    expect([...new Set(published.map((message) => message.seq))]).toEqual(
      stored.map((message) => message.seq),
    )
  })
})
