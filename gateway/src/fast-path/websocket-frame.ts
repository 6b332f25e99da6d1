/** WebSocket opcodes (RFC 6455 §5.2). */
const TEXT = 0x1
const BINARY = 0x2
const FINAL = 0x80

/** Length of the frame header for a payload, in bytes. Server frames are not masked (RFC 6455 §5.1). */
const headerLength = (payloadLength: number): number =>
  payloadLength < 126 ? 2 : payloadLength < 65_536 ? 4 : 10

/** Writes a frame header and returns its length. */
function writeHeader(frame: Buffer, opcode: number, payloadLength: number): number {
  frame[0] = FINAL | opcode
  if (payloadLength < 126) {
    frame[1] = payloadLength
    return 2
  }
  if (payloadLength < 65_536) {
    frame[1] = 126
    frame.writeUInt16BE(payloadLength, 2)
    return 4
  }
  frame[1] = 127
  frame.writeUInt16BE(0, 2)
  frame.writeUIntBE(payloadLength, 4, 6)
  return 10
}

/** A complete, unmasked text frame that can be written to any number of sockets. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(headerLength(length) + length)
  frame.write(text, writeHeader(frame, TEXT, length))
  return frame
}

/** A text frame in parts, to be written one after another. The bytes that many frames share are not copied. */
export function textFrameParts(head: string, shared: Buffer, tail: string): Buffer[] {
  const headBytes = Buffer.byteLength(head)
  const length = headBytes + shared.length + Buffer.byteLength(tail)
  const start = Buffer.allocUnsafe(headerLength(length) + headBytes)
  start.write(head, writeHeader(start, TEXT, length))
  return [start, shared, Buffer.from(tail)]
}

/** A complete, unmasked binary frame that can be written to any number of sockets. */
export function binaryFrame(payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headerLength(payload.length) + payload.length)
  frame.set(payload, writeHeader(frame, BINARY, payload.length))
  return frame
}
