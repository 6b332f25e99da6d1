import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour. */
export function png(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), content])
    const numbers = Buffer.alloc(8)
    numbers.writeUInt32BE(content.length, 0)
    numbers.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((width * 3 + 1) * height, 0x66)
  for (let y = 0; y < height; y += 1) rows[y * (width * 3 + 1)] = 0
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
