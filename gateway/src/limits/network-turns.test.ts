import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import { expect, it } from 'vitest'
import { NetworkTurns } from './network-turns.ts'

/** Requests that run until they are finished. */
class Requests {
  readonly turns = new NetworkTurns({ concurrent: 2, waiting: 3 })
  readonly running: string[] = []
  readonly refused: string[] = []
  readonly #finish = new Map<string, () => void>()

  begin(ip: string, name = ip, response = createResponse()): void {
    const work = (): Promise<string> => {
      this.running.push(name)
      return new Promise((resolve) => this.#finish.set(name, () => resolve(name)))
    }
    void this.turns.run({ client: clientNetworkOf(ip), response }, work).then((result) => {
      if (result !== name) this.refused.push(`${name} ${result}`)
      else this.running.splice(this.running.indexOf(name), 1)
    })
  }

  async finish(name: string): Promise<void> {
    this.#finish.get(name)?.()
    await settled()
  }
}

const createResponse = () => new ServerResponse(new IncomingMessage(new Socket()))

/** Resolves after the continuations of all resolved promises. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('runs two requests of a network at a time, the others in their order, and refuses those above the limit', async () => {
  const requests = new Requests()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) requests.begin('192.0.2.1', name)
  requests.begin('192.0.2.2', 'other')
  await settled()
  expect([requests.running, requests.refused]).toEqual([['a', 'b', 'other'], ['f crowded']])
  await requests.finish('b')
  expect(requests.running).toEqual(['a', 'other', 'c'])
  await requests.finish('a')
  await requests.finish('c')
  await requests.finish('d')
  await requests.finish('e')
  requests.begin('192.0.2.1', 'later')
  expect(requests.running).toEqual(['other', 'later'])
})

it('gives an IPv6 /48 four times as many turns', async () => {
  const requests = new Requests()
  for (let n = 0; n < 10; n += 1) requests.begin(`2001:db8:1:${n}::1`)
  await settled()
  expect(requests.running).toHaveLength(8)
  await requests.finish('2001:db8:1:0::1')
  expect(requests.running.at(-1)).toBe('2001:db8:1:8::1')
})

it('ends a turn whose work fails', async () => {
  const turns = new NetworkTurns({ concurrent: 1, waiting: 0 })
  const turn = { client: clientNetworkOf('192.0.2.1'), response: createResponse() }
  await expect(turns.run(turn, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await turns.run(turn, () => Promise.resolve('next'))).toBe('next')
})

it('a request whose client disconnects while it waits gives up its place', async () => {
  const requests = new Requests()
  const response = createResponse()
  for (const name of ['a', 'b']) requests.begin('192.0.2.1', name)
  requests.begin('192.0.2.1', 'x', response)
  for (const name of ['c', 'd']) requests.begin('192.0.2.1', name)
  response.emit('close')
  await settled()
  expect([requests.running, requests.refused]).toEqual([['a', 'b'], ['x gone']])
  requests.begin('192.0.2.1', 'e')
  for (const name of ['a', 'b', 'c', 'd']) await requests.finish(name)
  expect([requests.running, requests.refused]).toEqual([['e'], ['x gone']])
})
