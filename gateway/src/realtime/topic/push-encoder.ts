import { textFrame } from '../../fast-path/websocket-frame.ts'
import { encodeText, type Version } from '../protocol/codec.ts'
import type { FrameEncoder } from './subscriber-group.ts'

/** Encodes a push of the server, once for each protocol version. */
export function pushEncoder(topicKey: string, event: string, payloadJson: string): FrameEncoder {
  const frames: Partial<Record<Version, Buffer>> = {}
  return ({ version }) => {
    frames[version] ??= textFrame(encodeText(version, null, null, topicKey, event, payloadJson))
    return frames[version]
  }
}
