import { deflateSync } from 'node:zlib'

/** A PNG chunk. Its checksum is zero, which the services do not verify. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(type), content, Buffer.alloc(4)])
}

/** A small PNG whose header declares these dimensions. `extra`: chunks before its end. */
export function png(width: number, height: number, ...extra: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(64))),
    ...extra,
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
