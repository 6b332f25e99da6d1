/** WebSocket opcodes (RFC 6455 §5.2). */
const TEXT = 0x1
const BINARY = 0x2
const FINAL = 0x80

/** Bytes of the frame header for a payload of `length` bytes; server frames carry no mask (RFC 6455 §5.1). */
const headerLength = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

function writeHeader(frame: Buffer, opcode: number, length: number): number {
  frame[0] = FINAL | opcode
  if (length < 126) {
    frame[1] = length
    return 2
  }
  if (length < 65_536) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
    return 4
  }
  frame[1] = 127
  frame.writeUInt16BE(0, 2)
  frame.writeUIntBE(length, 4, 6)
  return 10
}

/** A whole, unmasked text frame, ready for any number of sockets. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(headerLength(length) + length)
  frame.write(text, writeHeader(frame, TEXT, length))
  return frame
}

/** A text frame in pieces, to be written one after another: what is shared by many frames is not copied into each. */
export function textFrameAround(head: string, shared: Buffer, tail: string): Buffer[] {
  const headBytes = Buffer.byteLength(head)
  const length = headBytes + shared.length + Buffer.byteLength(tail)
  const start = Buffer.allocUnsafe(headerLength(length) + headBytes)
  start.write(head, writeHeader(start, TEXT, length))
  return [start, shared, Buffer.from(tail)]
}

/** A whole, unmasked binary frame, ready for any number of sockets. */
export function binaryFrame(payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headerLength(payload.length) + payload.length)
  frame.set(payload, writeHeader(frame, BINARY, payload.length))
  return frame
}
