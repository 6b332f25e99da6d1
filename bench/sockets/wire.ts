/** The handshake of a realtime client as bytes of a plain TCP connection. */
export const handshake = (port: number): string =>
  [
    'GET /realtime/v1/websocket?apikey=k&vsn=2.0.0 HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n')

/** A masked text frame (RFC 6455 §5.2) with a mask of zeros, which leaves the text unchanged. */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length < 126)
    return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
  const head = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

/** A `phx_join` of a topic, with or without a token. */
export const joinFrame = (ref: string, address: string, token: string | null): Buffer =>
  clientFrame(
    JSON.stringify([
      ref,
      ref,
      address,
      'phx_join',
      { config: {}, ...(token === null ? {} : { access_token: token }) },
    ]),
  )

/** A masked close frame without a reason: a browser's answer to the server's (RFC 6455 §5.5.1). */
export const closeFrame = Buffer.from([0x88, 0x80, 0, 0, 0, 0])

const CLOSE_OPCODE = 8

/** A frame's payload within the read bytes, and the time (ms, `performance.now()`). */
type OnPayload = (bytes: Buffer, start: number, length: number, readAtMs: number) => void

/**
 * Splits a server's bytes into frames and passes on where each payload is. Copies incomplete frames, so that the caller
 * may reuse the buffer of a chunk. Close frames are reported to callers that want to answer them.
 */
export class FrameReader {
  #rest: Buffer | null = null
  readonly #onPayload: OnPayload
  readonly #onClose: ((payload: Buffer) => void) | undefined

  /** `onClose` receives the payload of the close frame: two bytes of code, then the reason. */
  constructor(onPayload: OnPayload, onClose?: (payload: Buffer) => void) {
    this.#onPayload = onPayload
    this.#onClose = onClose
  }

  read(chunk: Buffer): void {
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])
    const readAtMs = performance.now()
    let offset = 0
    for (;;) {
      if (offset + 4 > bytes.length) break
      const short = (bytes[offset + 1] ?? 0) & 0x7f
      const start = offset + (short < 126 ? 2 : short === 126 ? 4 : 10)
      if (start > bytes.length) break
      const length =
        short < 126 ? short : short === 126 ? bytes.readUInt16BE(offset + 2) : bytes.readUIntBE(offset + 4, 6)
      if (start + length > bytes.length) break
      if (this.#onClose !== undefined && ((bytes[offset] ?? 0) & 0x0f) === CLOSE_OPCODE)
        this.#onClose(bytes.subarray(start, start + length))
      else this.#onPayload(bytes, start, length, readAtMs)
      offset = start + length
    }
    this.#rest = offset === bytes.length ? null : Buffer.from(bytes.subarray(offset))
  }
}
