import { encodeText, type Version } from './codec.ts'
import type { Render } from './topic.ts'
import { textFrame } from './websocket-frame.ts'

/** A push of the server as bytes for each lane, built once per protocol version. */
export function pushed(address: string, event: string, payloadJson: string): Render {
  const frames: Partial<Record<Version, Buffer>> = {}
  return ({ version }) => {
    frames[version] ??= textFrame(encodeText(version, null, null, address, event, payloadJson))
    return frames[version]
  }
}
