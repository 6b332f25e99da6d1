import type { ViewerReport } from '@looptide/contracts/http/admin'
import { TcpProxy } from '@looptide/testkit/tcp-proxy'
import { until } from '@looptide/testkit/until'
import { BareSocket } from '../support/bare-socket.ts'
import type { FaultHarness } from '../support/fault-harness.ts'
import { signUp } from '../support/people.ts'
import { getJson } from '../support/records.ts'

const SLOW_BYTES_PER_SECOND = 2000
/** Characters per message. In total, many times the gateway's buffer limit for a socket is sent. */
const CHARACTERS = 32_000
const PER_LOOK = 20
const LONG_WAIT = { timeoutMs: 30_000 }

/** A user's second device reads 2 kB/s while the first one sends megabytes. The gateway disconnects it. */
export async function readSlowly({ station, load }: FaultHarness): Promise<void> {
  const viewers = async (): Promise<number> => {
    const { counts } = await getJson<ViewerReport>(station.url, '/api/viewers')
    return counts[load.channelId] ?? 0
  }
  const line = await TcpProxy.to(station.fleet.urlOf('gateway'))
  try {
    const person = await signUp(station.url, 'two-devices')
    const topic = `user:${person.id}`
    const slow = await BareSocket.open(line.via(station.fleet.urlOf('gateway')).replace(/\/$/, ''))
    await slow.join(topic, person.accessToken)
    await slow.join(`stream:${load.channelId}`)
    const watching = load.watchers.length
    await until('the slow viewer is counted', async () => (await viewers()) === watching + 1, LONG_WAIT)
    const loud = await BareSocket.open(station.fleet.urlOf('gateway'))
    await loud.join(topic, person.accessToken)
    line.slow({ bytesPerSecond: SLOW_BYTES_PER_SECOND })
    const text = 'x'.repeat(CHARACTERS)
    await until(
      'only the slow viewer is disconnected',
      async () => {
        for (let sent = 0; sent < PER_LOOK; sent += 1) loud.broadcast(topic, 'note', { text })
        return (await viewers()) === watching
      },
      LONG_WAIT,
    )
    loud.close()
  } finally {
    await line.stop()
  }
}
