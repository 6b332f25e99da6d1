import { binaryFrame } from '../../fast-path/websocket-frame.ts'
import { broadcastJson, type ClientFrame, encodeBinaryBroadcast } from '../protocol/codec.ts'
import { pushEncoder } from './push-encoder.ts'
import type { FrameEncoder } from './subscriber-group.ts'

/** A broadcast that a member sends to the other members of a topic: JSON, or raw bytes. */
export type MemberBroadcast = { event: string } & ({ json: string } | { bytes: Buffer })

/** Largest broadcast of a client, in bytes. Serialised again, JSON can be longer than the frame it was received in. */
export const MAX_BROADCAST_BYTES = 262_144

/** Reads the broadcast from a client's frame. */
export function readMemberBroadcast({ bytes, payload }: ClientFrame, event: string): MemberBroadcast {
  return bytes === undefined ? { event, json: JSON.stringify(payload.payload ?? {}) } : { event, bytes }
}

/** Size of the payload in bytes. */
export const broadcastSize = (broadcast: MemberBroadcast): number =>
  'json' in broadcast ? Buffer.byteLength(broadcast.json) : broadcast.bytes.length

/** Encodes a member's broadcast for each protocol version; null for clients that cannot receive it. */
export function broadcastEncoder(topicKey: string, broadcast: MemberBroadcast): FrameEncoder {
  if ('json' in broadcast)
    return pushEncoder(topicKey, 'broadcast', broadcastJson(broadcast.event, broadcast.json))
  const binary = binaryFrame(encodeBinaryBroadcast(topicKey, broadcast.event, broadcast.bytes))
  // Protocol version 1.0.0 has no binary frames, so its clients do not receive raw bytes.
  return ({ version }) => (version === '2.0.0' ? binary : null)
}
