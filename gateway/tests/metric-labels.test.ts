import { randomBytes } from 'node:crypto'
import { findUnboundedLabels, readSeries } from '@looptide/testkit/metric-labels'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness({ RATE_LIMIT_FACTOR: '100' })
})
afterAll(() => harness.close())

const metrics = async (): Promise<string> => (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS']

/** Sends a word in every part of a request or frame that a client controls. */
async function sendWord(word: string): Promise<void> {
  const send = async (method: string, path: string, body?: string): Promise<void> => {
    const headers = { 'content-type': 'application/csp-report', [`x-${word}`]: word, 'x-request-id': word }
    const response = await fetch(harness.gateway.url + path, {
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
        send(method, path),
      ),
    ),
    send('GET', `/api/channels/${word}/now`),
    send('GET', `/live?channel=${word}`),
    send('GET', `/realtime/v1/websocket?apikey=${word}&vsn=${word}`),
    ...[word, `${word}-src`, `img-src ${word}`, 'font-src'].map((name) =>
      send('POST', '/api/csp-reports', report(name)),
    ),
  ])
  for (const query of [`apikey=k&vsn=${word}`, `apikey=&x=${word}`])
    new RawClient(harness.realtimeUrl, query).close()
  const client = await new RawClient(harness.realtimeUrl).open()
  for (const topic of [`realtime:${word}`, `realtime:stream:${word}`, 'realtime:chat:default', word])
    for (const event of ['phx_join', word, 'broadcast', 'presence', 'access_token'])
      client.send(topic, event, { type: word, event: word, payload: { [word]: word }, access_token: word })
  client.socket.send(word)
  await client.settled()
  client.socket.close(4000, word)
  await client.whenClosed()
}

it('no metric label contains client input, and no client creates new series', async () => {
  // Letters only, because a loose pattern would not distinguish them from our own names.
  const randomWord = () =>
    randomBytes(8)
      .toString('hex')
      .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
  const words = Array.from({ length: 6 }, randomWord)
  await sendWord(randomWord())
  const before = readSeries(await metrics())
  for (const word of words) await sendWord(word)
  const text = await metrics()
  const after = readSeries(text)
  expect(words.filter((word) => text.includes(word))).toEqual([])
  expect(findUnboundedLabels(after)).toEqual([])
  const own = (series: typeof after) => series.filter(({ metric }) => metric.startsWith('looptide_')).length
  expect(own(after)).toBe(own(before))
})
