import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Connection } from '../connection/connection.ts'
import { FrameQueue } from '../connection/frame-queue.ts'
import type { HubMetrics } from '../hub-metrics.ts'
import { type ClientFrame, decodeBinary, decodeText, isMalformed } from '../protocol/codec.ts'
import { dispatch } from './dispatch.ts'
import type { HandlerContext, HandlerDeps } from './handler-context.ts'

interface ReceiveContext extends HandlerContext {
  readonly deps: HandlerDeps & { readonly logger: Logger; readonly metrics: Pick<HubMetrics, 'malformed'> }
}

/** Additional rate-limit cost of a malformed frame, in frames. */
const MALFORMED_COST = 9

/** Counts, decodes and handles one message of a client. A message above a limit is not parsed. */
export function receive(
  context: ReceiveContext,
  connection: Connection,
  data: Buffer,
  isBinary: boolean,
): void {
  const { now, metrics } = context.deps
  const nowMs = now()
  if (!connection.isOpen || !connection.countMessage(data.length, nowMs)) return
  connection.lastSeenMs = nowMs
  const { json } = connection.inbound
  const frame = isBinary ? decodeBinary(data, json) : decodeText(connection.version, data.toString(), json)
  if (isMalformed(frame)) {
    metrics.malformed.inc()
    connection.spend(MALFORMED_COST, nowMs)
  } else if (connection.pendingFrames === null) void handleInOrder(context, connection, frame)
  else if (!connection.pendingFrames.push(frame, data.length)) connection.close('flood')
}

/** Handles a frame, then the frames that were queued while its handler waited. */
async function handleInOrder(
  context: ReceiveContext,
  connection: Connection,
  first: ClientFrame,
): Promise<void> {
  try {
    const pending = dispatch(context, connection, first)
    if (pending === undefined) return
    const queue = new FrameQueue()
    connection.pendingFrames = queue
    await pending
    let frame = queue.shift()
    for (; frame !== undefined && connection.isOpen; frame = queue.shift())
      await dispatch(context, connection, frame)
  } catch (error) {
    context.deps.logger.error({ err: error }, 'socket frame failed')
    connection.close('fault')
  } finally {
    connection.pendingFrames = null
  }
}
