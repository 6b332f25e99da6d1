import { textFrame } from '../../fast-path/websocket-frame.ts'
import { encodeText, type Version } from '../protocol/codec.ts'
import type { FrameEncoder } from './subscriber-group.ts'

/** Encodes pushes of the server, once for each protocol version: a frame for each payload. */
export function pushEncoder(topicKey: string, event: string, ...payloadsJson: string[]): FrameEncoder {
  const frames: Partial<Record<Version, Buffer>> = {}
  const encode = (version: Version) => {
    const all = payloadsJson.map((json) => textFrame(encodeText(version, null, null, topicKey, event, json)))
    return all.length === 1 && all[0] !== undefined ? all[0] : Buffer.concat(all)
  }
  return ({ version }) => {
    frames[version] ??= encode(version)
    return frames[version]
  }
}
