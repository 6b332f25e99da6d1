import { textFrame, textFrameParts } from '../../fast-path/websocket-frame.ts'
import type { Snapshot } from '../channel-directory.ts'
import { broadcastJson, type ClientFrame, encodeText, type Version } from '../protocol/codec.ts'
import type { ChangeBindings } from '../protocol/postgres-changes.ts'
import type { ChannelSocket } from '../topic/membership.ts'
import { TOPIC_PREFIX } from '../topic/topic-name.ts'

interface JoinReply {
  bindings: ChangeBindings | null
  /** The payload of `presence_state` as JSON; null when the client did not enable presence. */
  presenceState: string | null
  snapshot: Snapshot | null
}

/** Sends the reply to a join, and the pushes that follow it, in one write. */
export function sendJoinReply(
  connection: ChannelSocket,
  frame: ClientFrame,
  { bindings, presenceState, snapshot }: JoinReply,
): void {
  const { version } = connection
  const { joinRef, ref, topic } = frame
  const push = (event: string, json: string): Buffer =>
    textFrame(encodeText(version, null, null, topic, event, json))
  const changes = JSON.stringify({ postgres_changes: bindings?.replyList ?? [] })
  const reply = `{"status":"ok","response":${changes}}`
  const frames = [textFrame(encodeText(version, joinRef, ref, topic, 'phx_reply', reply))]
  if (presenceState !== null) frames.push(push('presence_state', presenceState))
  if (bindings !== null) {
    const channel = topic.slice(TOPIC_PREFIX.length)
    const message = 'Subscribed to PostgreSQL'
    frames.push(
      push('system', JSON.stringify({ extension: 'postgres_changes', status: 'ok', message, channel })),
    )
  }
  if (snapshot !== null) frames.push(...snapshotParts(version, topic, snapshot))
  connection.answer(frames)
}

/** Marks the place of the shared bytes while the frame around them is encoded. JSON text never contains it. */
const PLACEHOLDER = '\0'

function snapshotParts(version: Version, topic: string, { head, shared, tail }: Snapshot): Buffer[] {
  const payload = `${head}${shared === null ? '' : shared.name + PLACEHOLDER}${tail}`
  const frame = encodeText(version, null, null, topic, 'broadcast', broadcastJson('snapshot', payload))
  if (shared === null) return [textFrame(frame)]
  const at = frame.indexOf(PLACEHOLDER)
  return textFrameParts(frame.slice(0, at), shared.bytes, frame.slice(at + PLACEHOLDER.length))
}
