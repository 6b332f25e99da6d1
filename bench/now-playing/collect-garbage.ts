import { once } from 'node:events'
import { until } from '@looptide/testkit/until'

/** Where Node's inspector listens after SIGUSR1 (nodejs.org/api/debugger.html). */
const TARGETS = 'http://127.0.0.1:9229/json/list'

/** Opens the inspector of a Node process. Returns what collects all garbage of the process, so that only what is kept counts. */
export async function garbageCollector(pid: number): Promise<() => Promise<void>> {
  const isTaken = await fetch(TARGETS).then(
    () => true,
    () => false,
  )
  if (isTaken) throw new Error('Another process is inspected: port 9229 is in use.')
  process.kill(pid, 'SIGUSR1')
  const url = await until('the inspector listens', async () => {
    const [target] = (await (await fetch(TARGETS)).json()) as { webSocketDebuggerUrl: string }[]
    return target?.webSocketDebuggerUrl
  })
  return async () => {
    const inspector = new WebSocket(url)
    await once(inspector, 'open')
    inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
    await once(inspector, 'message')
    inspector.close()
  }
}
