import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DamagedPictureError } from './damaged-picture-error.ts'
import { exifWith, orientationOf } from './orientation.ts'
import { stripMetadata } from './strip-metadata.ts'
import { animated, baseline, lossless, lossy, progressive } from './test-pictures.ts'

const SECRET = 'GPS 48.8583 N, 2.2945 E'
const orientations = fc.integer({ min: 1, max: 8 })

/** Exif data with a location, as phones write it. */
const exifOf = (orientation: number, isLittle: boolean): Buffer => {
  const exif = Buffer.alloc(38)
  const write16 = (value: number, at: number) =>
    isLittle ? exif.writeUInt16LE(value, at) : exif.writeUInt16BE(value, at)
  const write32 = (value: number, at: number) =>
    isLittle ? exif.writeUInt32LE(value, at) : exif.writeUInt32BE(value, at)
  exif.write(isLittle ? 'II' : 'MM', 0, 'latin1')
  write16(42, 2)
  write32(8, 4)
  write16(2, 8)
  // The directory of GPS tags comes first here, the orientation second.
  for (const [index, tag, value] of [
    [0, 0x8825, 38],
    [1, 0x0112, orientation],
  ] as const) {
    write16(tag, 10 + index * 12)
    write16(3, 12 + index * 12)
    write32(1, 14 + index * 12)
    write16(value, 18 + index * 12)
  }
  return Buffer.concat([exif, Buffer.from(SECRET)])
}

const segment = (marker: number, content: Buffer): Buffer => {
  const header = Buffer.from([0xff, marker, 0, 0])
  header.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([header, content])
}
const pngChunk = (type: string, content: Buffer): Buffer => {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(content.length)
  return Buffer.concat([header, Buffer.from(type, 'latin1'), content, Buffer.alloc(4)])
}
const webpChunk = (type: string, content: Buffer): Buffer => {
  const header = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)])
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_PARTS = [
  pngChunk('IHDR', Buffer.from([0, 0, 0, 16, 0, 0, 0, 12, 8, 6, 0, 0, 0])),
  pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
  pngChunk('IDAT', deflateSync(Buffer.alloc(16 * 12 * 4 + 12))),
  pngChunk('IEND', Buffer.alloc(0)),
]
const png = Buffer.concat([PNG_SIGNATURE, ...PNG_PARTS])

const jpegNoise = fc.oneof(
  fc
    .constantFrom(0xe1, 0xe3, 0xed, 0xef, 0xfe)
    .map((marker) => segment(marker, Buffer.from(`XMP ${SECRET}`))),
  fc.constant(segment(0xe2, Buffer.from(`MPF\0 ${SECRET}`))),
  fc.constant(segment(0xe0, Buffer.from(`JFXX\0 ${SECRET}`))),
)
const pngNoise = fc
  .constantFrom('tEXt', 'iTXt', 'zTXt', 'tIME', 'caBX', 'prIv')
  .map((type) => pngChunk(type, Buffer.from(SECRET)))
const webpNoise = fc.constantFrom('XMP ', 'prIv', 'JUNK').map((type) => webpChunk(type, Buffer.from(SECRET)))

describe('a JPEG', () => {
  it.each([
    ['baseline', baseline],
    ['progressive', progressive],
  ])('without metadata is not changed: %s', (_kind, picture) => {
    expect(stripMetadata(picture, 'image/jpeg')).toEqual(picture)
  })

  it('loses all metadata at any position, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(baseline, progressive),
        fc.array(jpegNoise, { maxLength: 5 }),
        orientations,
        fc.boolean(),
        (picture, noise, orientation, isLittle) => {
          const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exifOf(orientation, isLittle)]))
          const dressed = Buffer.concat([
            picture.subarray(0, 2),
            exif,
            ...noise,
            picture.subarray(2),
            Buffer.from(`a film behind the picture: ${SECRET}`),
          ])
          const stripped = stripMetadata(dressed, 'image/jpeg')
          expect(stripped.includes(SECRET.slice(0, 8))).toBe(false)
          const kept = orientation === 1 ? 0 : 36
          expect(Buffer.concat([stripped.subarray(0, 2), stripped.subarray(2 + kept)])).toEqual(picture)
          if (kept > 0) expect(orientationOf(stripped.subarray(6))).toBe(orientation)
        },
      ),
    )
  })

  it('loses metadata between its scans', () => {
    const scan = progressive.lastIndexOf(Buffer.from([0xff, 0xda]))
    const dressed = Buffer.concat([
      progressive.subarray(0, scan),
      segment(0xfe, Buffer.from(SECRET)),
      progressive.subarray(scan),
    ])
    expect(stripMetadata(dressed, 'image/jpeg')).toEqual(progressive)
  })
})

describe('a PNG', () => {
  it('loses all metadata, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(pngNoise, { maxLength: 5 }),
        orientations,
        fc.boolean(),
        (noise, orientation, isLittle) => {
          const [head, ...rest] = PNG_PARTS
          const dressed = Buffer.concat([
            PNG_SIGNATURE,
            head!,
            pngChunk('eXIf', exifOf(orientation, isLittle)),
            ...noise,
            ...rest,
            Buffer.from(SECRET),
          ])
          const stripped = stripMetadata(dressed, 'image/png')
          expect(stripped.includes(SECRET.slice(0, 8))).toBe(false)
          const from = PNG_SIGNATURE.length + head!.length
          const kept = orientation === 1 ? 0 : 38
          expect(Buffer.concat([stripped.subarray(0, from), stripped.subarray(from + kept)])).toEqual(png)
          if (kept > 0) expect(orientationOf(stripped.subarray(from + 8))).toBe(orientation)
        },
      ),
    )
  })
})

describe('a WebP', () => {
  it.each([
    ['lossy', lossy],
    ['lossless', lossless],
    ['animated', animated],
  ])('without metadata is not changed: %s', (_kind, picture) => {
    expect(stripMetadata(picture, 'image/webp')).toEqual(picture)
  })

  it('loses all metadata, and the flags for it in its header', () => {
    fc.assert(
      fc.property(fc.array(webpNoise, { maxLength: 4 }), orientations, (noise, orientation) => {
        const flagged = Buffer.from(animated)
        flagged[20] = 0x02 | 0x08 | 0x04
        const body = Buffer.concat([
          flagged.subarray(8),
          webpChunk('EXIF', exifOf(orientation, true)),
          ...noise,
        ])
        const dressed = Buffer.concat([webpChunk('RIFF', body), Buffer.from(SECRET)])
        const stripped = stripMetadata(dressed, 'image/webp')
        expect(stripped.includes(SECRET.slice(0, 8))).toBe(false)
        const hasExif = orientation !== 1
        expect(stripped[20]).toBe(hasExif ? 0x0a : 0x02)
        expect(stripped.subarray(21, animated.length)).toEqual(animated.subarray(21))
        expect(stripped.readUInt32LE(4)).toBe(stripped.length - 8)
        if (hasExif) expect(orientationOf(stripped.subarray(animated.length + 8))).toBe(orientation)
        else expect(stripped.length).toBe(animated.length)
      }),
    )
  })

  it('loses metadata within a frame of its animation', () => {
    const frame = animated.indexOf('ANMF')
    const size = animated.readUInt32LE(frame + 4)
    const hidden = webpChunk('EXIF', Buffer.from(`${SECRET}.`))
    const first = webpChunk('ANMF', Buffer.concat([animated.subarray(frame + 8, frame + 8 + size), hidden]))
    const body = Buffer.concat([animated.subarray(8, frame), first, animated.subarray(frame + 8 + size)])
    expect(stripMetadata(webpChunk('RIFF', body), 'image/webp')).toEqual(animated)
  })
})

describe('damaged and hostile bytes', () => {
  const TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
  const ATTEMPTS = [
    ...[baseline, progressive].map((bytes) => ['image/jpeg', bytes] as const),
    ['image/png', png] as const,
    ...[lossy, animated].map((bytes) => ['image/webp', bytes] as const),
  ]

  it('are refused as damaged, or give a picture of about the same length without metadata', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ATTEMPTS),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
        fc.nat(),
        ([type, bytes], changes, cut) => {
          const hostile = Buffer.from(bytes)
          for (const [at, value] of changes) hostile[at % hostile.length] = value
          const given = cut % 3 === 0 ? hostile.subarray(0, cut % hostile.length) : hostile
          let stripped: Buffer
          try {
            stripped = stripMetadata(given, type)
          } catch (error) {
            expect(error).toBeInstanceOf(DamagedPictureError)
            return
          }
          expect(stripped.length).toBeLessThanOrEqual(given.length + 40)
          expect(stripMetadata(stripped, type)).toEqual(stripped)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('that repeat one value for a megabyte are refused or stripped, and do not hang', () => {
    const runs = [0xff, 0x00, 0xd8, 0x4d].map((value) => Buffer.alloc(1_000_000, value))
    for (const run of runs) {
      for (const type of TYPES) {
        for (const head of [
          baseline.subarray(0, 2),
          baseline.subarray(0, -2),
          png.subarray(0, 8),
          animated,
        ]) {
          try {
            stripMetadata(Buffer.concat([head, run]), type)
          } catch (error) {
            expect(error).toBeInstanceOf(DamagedPictureError)
          }
        }
      }
    }
  })

  it('in Exif data cause no read beyond its end and no endless loop', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 80 }),
        fc.constantFrom('II*\0', 'MM\0*', 'Exif\0\0MM\0*'),
        (bytes, head) => {
          const value = orientationOf(Buffer.concat([Buffer.from(head, 'latin1'), bytes]))
          if (value !== undefined) expect(orientationOf(exifWith(value))).toBe(value)
        },
      ),
    )
  })
})
