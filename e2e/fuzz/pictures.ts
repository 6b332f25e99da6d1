import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'

const u32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

/** A PNG chunk with a placeholder checksum: the server reads headers and does not decode. */
const chunk = (type: string, bytes: Buffer): Buffer =>
  Buffer.concat([u32(bytes.length), Buffer.from(type), bytes, u32(0)])

function png(width: number, height: number, pixels: Buffer): Buffer {
  const head = Buffer.concat([u32(width), u32(height), Buffer.from([8, 6, 0, 0, 0])])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function jpeg(width: number, height: number): Buffer {
  const size = Buffer.from([height >> 8, height & 255, width >> 8, width & 255])
  const frame = Buffer.concat([Buffer.from([0xff, 0xc0, 0, 17, 8]), size, Buffer.alloc(10)])
  const comment = Buffer.from([0xff, 0xfe, 0, 4, 0, 0])
  const table = Buffer.concat([Buffer.from([0xff, 0xdb, 0, 67, 0]), Buffer.alloc(64, 1)])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), comment, table, frame, Buffer.from([0xff, 0xd9])])
}

function webp(width: number, height: number): Buffer {
  const size = Buffer.alloc(6)
  size.writeUIntLE(width - 1, 0, 3)
  size.writeUIntLE(height - 1, 3, 3)
  const body = Buffer.concat([Buffer.from('WEBPVP8X\x0a\0\0\0', 'latin1'), Buffer.alloc(4), size])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), length, body])
}

const BOMB = deflateSync(Buffer.alloc(50_000_000))

const TOO_LARGE: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['a PNG of 60,000 × 60,000', png(60_000, 60_000, BOMB)],
  ['a PNG that is a billion pixels wide', png(1_000_000_000, 1, BOMB)],
  ['a PNG whose size is negative as a signed integer', png(0xffff_ffff, 0xffff_ffff, BOMB)],
  ['a JPEG of 65,535 × 65,535', jpeg(65_535, 65_535)],
  ['a WebP of 16 million × 16 million', webp(16_777_216, 16_777_216)],
]

const NO_PICTURE: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['a PNG without a size', png(0, 0, BOMB)],
  ['the first bytes of a PNG', png(10, 10, BOMB).subarray(0, 12)],
  ['a gzipped PNG', gzipSync(png(10, 10, BOMB))],
  ['a JPEG of markers only', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(200_000, 0xff)])],
  [
    'a JPEG whose segments have no length',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from('ffe00000'.repeat(20_000), 'hex')]),
  ],
  ['an empty RIFF', Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8 \xff\xff\xff\xff', 'latin1')],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['an SVG with the signature of a GIF', Buffer.from('GIF89a/*<svg onload=alert(1)>*/')],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
]

const SMALL = deflateSync(Buffer.alloc(20 * 81))
const SECRET = 'GPS 48.8583 N'

/** Images with a length field that points beyond their end. */
const DAMAGED: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['a truncated PNG', png(20, 20, SMALL).subarray(0, -12)],
  [
    'a PNG with a chunk of 4 GB',
    Buffer.concat([png(20, 20, SMALL).subarray(0, -12), u32(0xffff_ffff), SMALL]),
  ],
  [
    'a WebP with a too large size field',
    Buffer.from('RIFF\xff\xff\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x13\0\0\x09\0\0', 'latin1'),
  ],
]

/** Images with a location in their metadata or after their end. */
const TELLING: readonly (readonly [what: string, bytes: Buffer])[] = [
  [
    'a PNG with text',
    Buffer.concat([
      png(20, 20, SMALL).subarray(0, -12),
      chunk('tEXt', Buffer.from(SECRET)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  ],
  ['a PNG with trailing data', Buffer.concat([png(20, 20, SMALL), Buffer.from(SECRET)])],
  ['a WebP with trailing data', Buffer.concat([webp(20, 20), Buffer.from(SECRET)])],
  ['a JPEG with trailing data', Buffer.concat([jpeg(20, 20), Buffer.from(SECRET)])],
]

const PLACES = [
  ['PUT', '/api/me/avatar', 'user'],
  ['POST', '/api/theme/assets', 'admin'],
] as const

/** Uploaded images are checked by their headers and never decoded; the size in the header is limited. */
export function describePictures(fixture: () => FuzzFixture): void {
  describe.each(PLACES)('an image for %s %s', (method, path, requester) => {
    const upload = async (bytes: Buffer, type = 'image/png') =>
      fixture().sender.sendBytes(
        { requester, method, path, headers: { 'content-type': type }, body: undefined },
        bytes,
      )

    it.each(TOO_LARGE)('%s is refused', async (_what, bytes) => {
      const { status, text } = await upload(bytes)
      expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'validation_failed' }])
    })

    it.each(NO_PICTURE)('%s is refused as no image', async (_what, bytes) => {
      const { status, text } = await upload(bytes)
      expect([status, JSON.parse(text)]).toMatchObject([415, { code: 'unsupported_media_type' }])
    })

    it.each(DAMAGED)('%s is refused as damaged', async (_what, bytes) => {
      const { status, text } = await upload(bytes)
      expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'validation_failed' }])
    })

    it.each(TELLING)('%s is served without that data', async (_what, bytes) => {
      const { sender } = fixture()
      const answer = await upload(bytes)
      expect(answer.status).toBeLessThan(300)
      const { avatarUrl, url } = JSON.parse(answer.text) as { avatarUrl?: string; url?: string }
      const path = avatarUrl ?? url ?? ''
      const shown = await sender.send({
        requester: 'nobody',
        method: 'GET',
        path,
        headers: {},
        body: undefined,
      })
      expect([shown.status, shown.text.includes(SECRET)]).toEqual([200, false])
    })

    it('is served with the type of its bytes only', async () => {
      const { sender } = fixture()
      const answer = await upload(
        png(20, 20, deflateSync(Buffer.from('<script>alert(1)</script>'))),
        'image/jpeg',
      )
      expect(answer.status).toBeLessThan(300)
      const { avatarUrl, url } = JSON.parse(answer.text) as { avatarUrl?: string; url?: string }
      const shown = await sender.send({
        requester: 'nobody',
        method: 'GET',
        path: avatarUrl ?? url ?? '',
        headers: {},
        body: undefined,
      })
      expect(shown.status).toBe(200)
      expect(shown.headers).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    })
  })
}
