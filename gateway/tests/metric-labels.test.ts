import { randomBytes } from 'node:crypto'
import { findUnboundedLabels, readSeries } from '@looptide/testkit/metric-labels'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RawClient, startStation, type TestStation } from './_util.ts'

let station: TestStation

beforeAll(async () => {
  station = await startStation({ RATE_LIMIT_FACTOR: '100' })
})
afterAll(() => station.close())

const metrics = async (): Promise<string> => (await fetch(`${station.gateway.metricsUrl}/metrics`)).text()
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS']

/** Sends words of its own making wherever a client can write something. */
async function sendWords(word: string): Promise<void> {
  const ask = async (method: string, path: string, body?: string): Promise<void> => {
    const headers = { 'content-type': 'application/csp-report', [`x-${word}`]: word, 'x-request-id': word }
    const response = await fetch(station.gateway.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    await response.arrayBuffer()
  }
  const report = (name: string) =>
    JSON.stringify({ 'csp-report': { 'effective-directive': name, 'blocked-uri': word } })
  await Promise.all([
    ...METHODS.flatMap((method) =>
      [`/${word}`, `/api/${word}`, `/api/videos/${word}`, `/auth/v1/${word}`, `/docs/${word}`].map((path) =>
        ask(method, path),
      ),
    ),
    ask('GET', `/api/channels/${word}/now`),
    ask('GET', `/live?channel=${word}`),
    ask('GET', `/realtime/v1/websocket?apikey=${word}&vsn=${word}`),
    ...[word, `${word}-src`, `img-src ${word}`, 'font-src'].map((name) =>
      ask('POST', '/api/csp-reports', report(name)),
    ),
  ])
  for (const query of [`apikey=k&vsn=${word}`, `apikey=&x=${word}`])
    new RawClient(station.realtimeUrl, query).close()
  const client = await new RawClient(station.realtimeUrl).open()
  for (const topic of [`realtime:${word}`, `realtime:stream:${word}`, 'realtime:chat:default', word])
    for (const event of ['phx_join', word, 'broadcast', 'presence', 'access_token'])
      client.send(topic, event, { type: word, event: word, payload: { [word]: word }, access_token: word })
  client.socket.send(word)
  await client.settled()
  client.socket.close(4000, word)
  await client.whenClosed()
}

it('no label of a metric takes what a client writes, and no client makes new series', {
  timeout: 90_000,
}, async () => {
  // Letters only: a loose pattern would accept such a word as one of our own names.
  const word = () =>
    randomBytes(8)
      .toString('hex')
      .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
  const words = Array.from({ length: 6 }, word)
  await sendWords(word())
  const before = readSeries(await metrics())
  for (const one of words) await sendWords(one)
  const text = await metrics()
  const after = readSeries(text)
  expect(words.filter((one) => text.includes(one))).toEqual([])
  expect(findUnboundedLabels(after)).toEqual([])
  const own = (series: typeof after) => series.filter(({ metric }) => metric.startsWith('looptide_')).length
  expect(own(after)).toBe(own(before))
})
