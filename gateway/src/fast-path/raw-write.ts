import type { Socket } from 'node:net'

/**
 * Writes complete WebSocket frames to the TCP (or TLS) socket below `ws`, without `ws.send()`. This is safe because `ws`,
 * without compression and with no Blobs sent, writes each of its own frames (pong, close) whole and synchronously to the
 * same socket: no frame is half written when this code runs, and the order of calls is the order on the wire. The caller
 * must not write after the close frame.
 */

/** Writes one or more concatenated frames. False, and nothing is written, when more than `maxBufferedBytes` would be unsent. */
export function writeFrames(socket: Socket, frames: Buffer, maxBufferedBytes: number): boolean {
  if (socket.writableLength + frames.length > maxBufferedBytes) return false
  socket.write(frames)
  return true
}

/**
 * Writes frames, or parts of frames, with one system call and without concatenating them: all or none. Other writes of
 * the same tick share the system call, so all joins of an arriving client are answered with one.
 */
export function writeParts(socket: Socket, parts: readonly Buffer[], maxBufferedBytes: number): boolean {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  if (socket.writableLength + bytes > maxBufferedBytes) return false
  socket.cork()
  for (const part of parts) socket.write(part)
  process.nextTick(() => socket.uncork())
  return true
}
