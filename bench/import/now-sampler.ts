import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { pause } from '@looptide/service-kit/time/pause'

/** Time between two requests for what is on the air, in ms. */
const SAMPLE_EVERY_MS = 50

/**
 * Requests what is on the air until it is stopped, in a thread of its own: the client that imports would delay it. Returns
 * the times of the answers in ms, the shortest first.
 */
export function sampleNow(url: string): { stop(): Promise<number[]> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: `${url}/api/channels/test-card/now` })
  return {
    stop: async () => {
      const answered = once(worker, 'message')
      worker.postMessage('stop')
      const [times] = (await answered) as [number[]]
      return times.sort((a, b) => a - b)
    },
  }
}

async function runSampler(): Promise<void> {
  const stopped = new AbortController()
  parentPort?.once('message', () => stopped.abort())
  const times: number[] = []
  while (!stopped.signal.aborted) {
    const startMs = performance.now()
    await (await fetch(workerData as string)).arrayBuffer()
    times.push(performance.now() - startMs)
    await pause(SAMPLE_EVERY_MS, stopped.signal)
  }
  parentPort?.postMessage(times)
}

if (!isMainThread) await runSampler()
