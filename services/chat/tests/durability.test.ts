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
import { type ChatStage, Client, setStage } from './fixtures.ts'

const CHATTERS = 10
// Six processes start and die here, perhaps beside other tests: a failure is not a matter of seconds.
const patient = { timeoutMs: 60_000 }
let postgres: Backing
let stage: ChatStage
let people: TestUser[]
const running: ChildProcess[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  stage = await setStage(postgres)
  people = await Promise.all(Array.from({ length: CHATTERS }, () => stage.identity.createUser()))
  await stage.tell('stream.channel.created.v1', 'default', {
    channelId: 'default',
    name: 'D',
    isActive: true,
  })
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await stage.stop()
  await postgres.stop()
})

/** A chat process of its own, as it runs in production. */
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
      env: { ...inherited, ...stage.env, PORT: String(this.port), RATE_LIMIT_FACTOR: '1000' },
      stdio: 'ignore',
    })
    running.push(child)
    this.#child = child
    await until('the replica is ready', async () => (await fetch(`${this.url}/readyz`)).ok, patient)
    await until(
      'it knows the channel',
      async () => (await new Client(this.url, null).read('default')) !== null,
      patient,
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

/** Says one thing after another until told to stop, each again until it is acknowledged by any replica. */
async function chatter(
  person: TestUser,
  replicas: readonly Replica[],
  isOver: () => boolean,
): Promise<ChatMessage[]> {
  const acknowledged: ChatMessage[] = []
  for (let n = 0; !isOver(); n += 1) {
    const clientId = randomUUID()
    for (let attempt = 0; ; attempt += 1) {
      const client = new Client(replicas[(n + attempt) % replicas.length]!.url, person)
      const answer = await client.say('default', `${n} of ${person.id}`, clientId).catch(() => null)
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
  const client = new Client(url, null)
  const all: ChatMessage[] = []
  for (;;) {
    const { items } = await client.read('default', `?after=${all.at(-1)?.seq ?? 0}&limit=100`)
    if (items.length === 0) return all
    all.push(...items)
  }
}

describe('what was acknowledged', () => {
  it('is there once, in order, whichever process is killed meanwhile', { timeout: 300_000 }, async () => {
    // Each is found where it was in its second life as well.
    const [one, two] = [new Replica(await freePort()), new Replica(await freePort())]
    await Promise.all([one.start(), two.start()])
    let isOver = false
    const talking = Promise.all(people.map((person) => chatter(person, [one, two], () => isOver)))
    const grows = async (by: number): Promise<void> => {
      const count = async (): Promise<number> =>
        (await stage.db.selectFrom('channels').select('lastSeq').executeTakeFirst())?.lastSeq ?? 0
      const before = await until('the store answers', count, patient)
      await until(`${by} more messages came`, async () => (await count()) >= before + by, {
        ...patient,
      })
    }
    await grows(50)
    await one.end('SIGKILL')
    await grows(50)
    await one.start()
    await two.end('SIGKILL')
    await grows(50)
    await two.start()
    stage.natsServer.kill()
    await grows(50)
    await stage.natsServer.restart()
    await grows(50)
    postgres.kill()
    await postgres.restart()
    await grows(50)
    expect(await one.end('SIGTERM')).toBe(0)
    await grows(50)
    await one.start()
    isOver = true
    const acknowledged = (await talking).flat()

    const stored = await readAll(two.url)
    expect(stored.map((message) => message.seq)).toEqual(stored.map((_message, i) => i + 1))
    expect(new Set(stored.map((message) => message.message)).size).toBe(stored.length)
    const byId = new Map(stored.map((message) => [message.id, message]))
    for (const message of acknowledged) expect(byId.get(message.id)).toEqual(message)
    expect(stored).toHaveLength(acknowledged.length)

    await until(
      'all is told',
      async () => {
        const waiting = await stage.db.selectFrom('outbox').select('seq').limit(1).execute()
        return waiting.length === 0
      },
      patient,
    )
    const told = (await contentsOf(stage.nats, 'CHAT')).filter((e) => e.type === 'chat.message.posted.v1')
    const seqs = told.map((event) => (event.data as { message: ChatMessage }).message.seq)
    expect([...new Set(seqs)]).toEqual(stored.map((message) => message.seq))
  })
})
