import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { pause } from '@looptide/service-kit/time/pause'

/** Time between two requests for what is on the air, in ms. */
const SAMPLE_EVERY_MS = 50

/**
 * Requests what is on the air until it is stopped, in a thread of its own: the client that imports would delay it. Returns
 * the times until the last byte of the answers in ms, the shortest first. Answers stay compressed: the threads that could
 * decompress them share the processors of the station.
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
  const agent = new Agent({ keepAlive: true })
  while (!stopped.signal.aborted) {
    const startMs = performance.now()
    await receive(workerData as string, agent)
    times.push(performance.now() - startMs)
    await pause(SAMPLE_EVERY_MS, stopped.signal)
  }
  agent.destroy()
  parentPort?.postMessage(times)
}

async function receive(url: string, agent: Agent): Promise<void> {
  const request = get(url, { agent, headers: { 'accept-encoding': 'gzip' } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  await once(response.resume(), 'end')
}

if (!isMainThread) await runSampler()
