import { topics } from '@looptide/contracts/realtime'
import type { RealtimeClient } from '@supabase/realtime-js'
import { expect, it, vi } from 'vitest'
import { SharedTopic } from './shared-topic.ts'

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
