/** What is read next of a frame (RFC 6455 §5.2). */
type Part = 'opcode' | 'length' | 'extended length' | 'payload'

const FIN = 0x80
const CONTROL = 0x08
const MASKED = 0x80
const MASK_BYTES = 4

/**
 * Follows the frames in the bytes of one socket, and counts those of a message that is not complete. `ws` does not report
 * a message before its last byte. It verifies the frames; nothing is verified here.
 */
export class FrameScanner {
  /** Bytes received of the message that is not complete, with frame headers and control frames; 0 between messages. */
  incompleteBytes = 0
  /** Memory that the incomplete message keeps: its bytes, and those read together with its first one. */
  heldBytes = 0
  #part: Part = 'opcode'
  #isLastFrame = true
  #isControl = false
  #isBetweenFragments = false
  /** Bytes left of the current part: of the extended length, or of mask and payload. */
  #left = 0
  #length = 0
  #maskBytes = 0

  /** Scans bytes read from the network. Returns whether they end in a message that began in them. */
  scan(chunk: Uint8Array): boolean {
    let beginsAt = this.incompleteBytes > 0 ? -1 : 0
    let offset = 0
    while (offset < chunk.length) {
      offset = this.#advance(chunk, offset)
      if (this.#part === 'opcode' && !this.#isBetweenFragments) beginsAt = offset
    }
    if (beginsAt < 0) {
      this.incompleteBytes += chunk.length
      this.heldBytes += chunk.length
      return false
    }
    this.incompleteBytes = chunk.length - beginsAt
    this.heldBytes = this.incompleteBytes > 0 ? chunk.length : 0
    return this.incompleteBytes > 0
  }

  /** Reads a byte of a header, or all bytes of a payload. Returns the offset of the next byte. */
  #advance(chunk: Uint8Array, offset: number): number {
    if (this.#part === 'payload') {
      const bytes = Math.min(this.#left, chunk.length - offset)
      this.#left -= bytes
      if (this.#left === 0) this.#endFrame()
      return offset + bytes
    }
    this.#readHeader(chunk[offset] ?? 0)
    return offset + 1
  }

  #readHeader(byte: number): void {
    if (this.#part === 'opcode') {
      this.#isLastFrame = (byte & FIN) !== 0
      this.#isControl = (byte & CONTROL) !== 0
      this.#part = 'length'
    } else if (this.#part === 'length') {
      this.#maskBytes = (byte & MASKED) === 0 ? 0 : MASK_BYTES
      const length = byte & 0x7f
      if (length < 126) this.#beginPayload(length)
      else {
        this.#part = 'extended length'
        this.#left = length === 126 ? 2 : 8
        this.#length = 0
      }
    } else {
      this.#length = this.#length * 256 + byte
      this.#left -= 1
      if (this.#left === 0) this.#beginPayload(this.#length)
    }
  }

  #beginPayload(length: number): void {
    this.#part = 'payload'
    this.#left = length + this.#maskBytes
    if (this.#left === 0) this.#endFrame()
  }

  #endFrame(): void {
    this.#part = 'opcode'
    // A control frame may be between the fragments of a message.
    if (!this.#isControl) this.#isBetweenFragments = !this.#isLastFrame
  }
}
