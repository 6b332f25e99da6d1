import { type ClientFrame, decodeBinary, decodeText, isMalformed } from './codec.ts'
import type { Connection } from './connection.ts'
import { FrameQueue } from './frame-queue.ts'
import type { Hub } from './hub.ts'
import { dispatch } from './inbound.ts'

/** Rate-limit cost of a malformed frame beside that of any frame, in frames. */
const MALFORMED_COST = 9

/** Counts, decodes and handles a message of a client. What is over a limit costs no more than its length. */
export function receive(hub: Hub, connection: Connection, data: Buffer, isBinary: boolean): void {
  const { now, metrics } = hub.deps
  const nowMs = now()
  if (!connection.isOpen || !connection.countMessage(data.length, nowMs)) return
  connection.lastSeenMs = nowMs
  const { json } = connection.inbound
  const frame = isBinary ? decodeBinary(data, json) : decodeText(connection.version, data.toString(), json)
  if (isMalformed(frame)) {
    metrics.malformed.inc()
    connection.spend(MALFORMED_COST, nowMs)
  } else if (connection.waiting === null) void handleInOrder(hub, connection, frame)
  else if (!connection.waiting.push(frame, data.length)) connection.close('flood')
}

/** Handles frames in their order; what comes while one is being checked waits. */
async function handleInOrder(hub: Hub, connection: Connection, first: ClientFrame): Promise<void> {
  try {
    const pending = dispatch(hub, connection, first)
    if (pending === undefined) return
    const waiting = new FrameQueue()
    connection.waiting = waiting
    await pending
    let frame = waiting.shift()
    for (; frame !== undefined && connection.isOpen; frame = waiting.shift())
      await dispatch(hub, connection, frame)
  } catch (error) {
    hub.deps.logger.error({ err: error }, 'a socket frame failed')
    connection.close('fault')
  } finally {
    connection.waiting = null
  }
}
