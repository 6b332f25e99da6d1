/** A thread of viewers; see `viewer-threads.ts`. */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { clientFrame } from '../sockets/wire.ts'
import { STREAM_TOPIC } from './messages.ts'
import type { ExpectedMessages, Taps, ThreadRequest } from './viewer-threads.ts'
import { type ReadSeq, readOwnSeq, Viewers } from './viewers.ts'

const viewers = new Viewers()
let lastSeq = -1

const SUMS = Buffer.from(`[null,null,"${STREAM_TOPIC}","broadcast",{"type":"broadcast","event":"reactions"`)

/** The second whose sums a frame has, as a number from `firstSeq` on. */
const readSums =
  (firstSeq: number, startMs: number): ReadSeq =>
  (bytes, start, length) => {
    if (length < SUMS.length || bytes.compare(SUMS, 0, SUMS.length, start, start + SUMS.length) !== 0)
      return null
    return firstSeq + Math.floor((performance.timeOrigin + performance.now() - startMs) / 1000) - 1
  }

function expectMessages({ firstSeq, total, rate, startMs, ofReactions }: ExpectedMessages): void {
  viewers.readSeq = ofReactions ? readSums(firstSeq, startMs) : readOwnSeq
  viewers.reset(firstSeq)
  lastSeq = firstSeq + total - 1
  const fromMs = startMs - performance.timeOrigin
  for (let seq = 0; seq < total; seq += 1) viewers.dueAtMs[firstSeq + seq] = fromMs + (seq * 1000) / rate
}

const REACTION = clientFrame(
  JSON.stringify([
    '1',
    null,
    STREAM_TOPIC,
    'broadcast',
    { type: 'broadcast', event: 'react', payload: { emoji: '🔥' } },
  ]),
)

async function tap({ by, perSecond, overMs }: Taps): Promise<void> {
  const eachMs = 1000 / perSecond
  const startedAtMs = performance.now()
  for (let sentMs = 0; sentMs < overMs; sentMs += eachMs) {
    await pause(Math.max(0, startedAtMs + sentMs - performance.now()))
    await viewers.sendInTurn(REACTION, eachMs, new AbortController().signal, by === 'one' ? 1 : undefined)
  }
}

async function answer(request: ThreadRequest): Promise<unknown> {
  if (request.kind === 'arrive') return viewers.arrive(request.port, request.tokens)
  if (request.kind === 'complete') return viewers.allHave(lastSeq)
  if (request.kind === 'tally') return viewers.tally
  if (request.kind === 'expect') return expectMessages(request)
  if (request.kind === 'tap') return tap(request)
  return viewers.leave()
}

parentPort?.on('message', (request: ThreadRequest) => {
  void answer(request).then((value) => parentPort?.postMessage(value))
})
