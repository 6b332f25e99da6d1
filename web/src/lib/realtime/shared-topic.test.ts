import { topics } from '@looptide/contracts/realtime'
import { RealtimeClient } from '@supabase/realtime-js'
import { expect, it, vi } from 'vitest'
import { SharedTopic } from './shared-topic.ts'

/** A socket to a server that lets everybody join. */
class OpenSocket extends EventTarget {
  readonly CONNECTING = 0
  readonly OPEN = 1
  readonly CLOSING = 2
  readonly CLOSED = 3
  readonly url = 'ws://station.test'
  readonly protocol = ''
  readyState = 0
  onopen: ((event: Event) => void) | null = null
  onmessage: ((event: MessageEvent) => void) | null = null
  onclose: ((event: CloseEvent) => void) | null = null
  onerror: ((event: Event) => void) | null = null

  constructor() {
    super()
    queueMicrotask(() => {
      this.readyState = this.OPEN
      this.onopen?.(new Event('open'))
    })
  }

  send(frame: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    const [joinRef, ref, topic, event] = JSON.parse(String(frame))
    if (event !== 'phx_join') return
    const reply = [joinRef, ref, topic, 'phx_reply', { status: 'ok', response: { postgres_changes: [] } }]
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(reply) }))
  }

  close(): void {
    this.readyState = this.CLOSED
  }
}

it('notifies a listener of a joined topic of its state after it was added', async () => {
  const client = new RealtimeClient('ws://station.test', { params: { apikey: 'key' }, transport: OpenSocket })
  const topic = new SharedTopic(client, 'guide', vi.fn())
  const first: string[] = []
  const removeFirst = topic.add({ pushes: {}, onState: (state) => first.push(state) })
  await vi.waitFor(() => expect(first).toContain('joined'))

  const notified: string[] = []
  const removeSecond = topic.add({ pushes: {}, onState: (state) => notified.push(state) })
  expect(notified).toEqual([])
  await vi.waitFor(() => expect(notified).toEqual(['joined']))

  const removeThird = topic.add({ pushes: {}, onState: () => notified.push('of a removed listener') })
  removeThird()
  await Promise.resolve()
  expect(notified).toEqual(['joined'])
  removeFirst()
  removeSecond()
  await client.disconnect()
})

type OnBroadcast = (message: { event: string; payload?: unknown }) => void

/** Joins a topic. Returns how the server sends a message on it, and what a listener of `video_removed` has received. */
async function join(name: string) {
  let receive: OnBroadcast | undefined
  const channel = {
    on: (kind: string, _filter: object, listener: OnBroadcast) => {
      if (kind === 'broadcast') receive = listener
    },
    subscribe: () => channel,
  }
  const client = { channel: () => channel, setAuth: () => Promise.resolve() }
  const topic = new SharedTopic(client as unknown as RealtimeClient, name, () => undefined)
  const received: unknown[] = []
  topic.add({ pushes: { video_removed: (payload: unknown) => void received.push(payload) } })
  const send = await vi.waitUntil(() => receive)
  return { send, received }
}

it('hands the pushes of a batch to the listeners of their kind, in order', async () => {
  const { send, received } = await join(topics.admin)
  send({ event: 'video_removed', payload: 1 })
  send({ event: 'batch', payload: { event: 'video_removed', payloads: [2, 3] } })
  send({ event: 'batch', payload: { event: 'metadata', payloads: [4] } })
  for (const payload of [undefined, null, 5, {}, { event: 'video_removed', payloads: 6 }])
    send({ event: 'batch', payload })
  expect(received).toEqual([1, 2, 3])
})

it('takes no batch from a topic of viewers', async () => {
  const { send, received } = await join(topics.station)
  send({ event: 'batch', payload: { event: 'video_removed', payloads: [1] } })
  expect(received).toEqual([])
})
