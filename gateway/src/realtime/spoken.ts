import { broadcastJson, type ClientFrame, encodeBinaryBroadcast } from './codec.ts'
import { pushed } from './render.ts'
import type { Render } from './topic.ts'
import { binaryFrame } from './websocket-frame.ts'

/** What a member says to the others of a topic: JSON, or bytes as they came. */
export type Spoken = { event: string } & ({ json: string } | { bytes: Buffer })

/** The largest broadcast of a client, in bytes. Written as JSON again it may be longer than the frame it came in. */
export const MAX_SPOKEN_BYTES = 262_144

/** The words of a client's broadcast. */
export function spokenIn({ bytes, payload }: ClientFrame, event: string): Spoken {
  return bytes === undefined ? { event, json: JSON.stringify(payload.payload ?? {}) } : { event, bytes }
}

export const sizeOf = (spoken: Spoken): number =>
  'json' in spoken ? Buffer.byteLength(spoken.json) : spoken.bytes.length

/** As frames for the members of a topic. */
export function renderSpoken(address: string, spoken: Spoken): Render {
  if ('json' in spoken) return pushed(address, 'broadcast', broadcastJson(spoken.event, spoken.json))
  const binary = binaryFrame(encodeBinaryBroadcast(address, spoken.event, spoken.bytes))
  // Version 1.0.0 has no binary frames: its members cannot be told.
  return ({ version }) => (version === '2.0.0' ? binary : null)
}
