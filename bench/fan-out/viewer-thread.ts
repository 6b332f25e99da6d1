/** A thread of viewers; see `viewer-threads.ts`. */
import { parentPort } from 'node:worker_threads'
import type { ExpectedMessages, ThreadRequest } from './viewer-threads.ts'
import { Viewers } from './viewers.ts'

const viewers = new Viewers()
let lastSeq = -1

function expectMessages({ firstSeq, total, rate, startMs }: ExpectedMessages): void {
  viewers.reset(firstSeq)
  lastSeq = firstSeq + total - 1
  const fromMs = startMs - performance.timeOrigin
  for (let seq = 0; seq < total; seq += 1) viewers.dueAtMs[firstSeq + seq] = fromMs + (seq * 1000) / rate
}

async function answer(request: ThreadRequest): Promise<unknown> {
  if (request.kind === 'arrive') return viewers.arrive(request.port, request.tokens)
  if (request.kind === 'complete') return viewers.allHave(lastSeq)
  if (request.kind === 'tally') return viewers.tally
  if (request.kind === 'expect') return expectMessages(request)
  return viewers.leave()
}

parentPort?.on('message', (request: ThreadRequest) => {
  void answer(request).then((value) => parentPort?.postMessage(value))
})
