import { csvLine } from '@looptide/contracts/csv'
import { cleanLine } from '@looptide/contracts/text'
import { VIDEO_CSV_COLUMNS } from '@looptide/contracts/video-csv'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCsv as readBytes } from './read-csv.ts'

const readCsv = (text: string) => readBytes(new TextEncoder().encode(text))
/** Text in an encoding of which no encoder exists: one byte, or two, for each character. */
const bytesOf = (text: string, encode: (code: number) => number[]) =>
  new Uint8Array([...text].flatMap((character) => encode(character.codePointAt(0) ?? 0)))

it('an exported file is read back unchanged, including formulas and quotes', () => {
  const starts = fc.constantFrom(
    '',
    '=',
    '+',
    '-',
    '@',
    "'",
    "'=",
    "''=1",
    '\t=',
    '\r@',
    '＝1',
    ' +',
    'a;=1',
    '"',
    ',',
  )
  const text = fc
    .tuple(starts, fc.string({ unit: 'grapheme', maxLength: 60 }))
    .map(([start, rest]) => cleanLine(start + rest))
    .filter((artist) => artist.length <= 200)
  fc.assert(
    fc.property(
      fc.array(fc.record({ artist: text, genre: text }), { minLength: 1, maxLength: 20 }),
      (videos) => {
        const lines = videos.map(({ artist, genre }, n) =>
          csvLine([`https://youtu.be/${n}`, artist, genre, 'Classics', '=cmd()', '3:07', '0', 'now']),
        )
        const read = readCsv(`\uFEFF${csvLine(VIDEO_CSV_COLUMNS)}${lines.join('')}`)
        if ('problem' in read) throw new Error(read.problem)
        expect(read.rows.map(({ row }) => [row?.artistName ?? '', row?.genre ?? '', row?.category])).toEqual(
          videos.map(({ artist, genre }) => [artist, genre, 'Classics']),
        )
      },
    ),
  )
})

it('a line with a problem is reported with its number and the problem', () => {
  const read = readCsv(
    'Artist,URL,Category\na,,\nb,https://youtu.be/x,Nowhere\n\nc,https://youtu.be/y,Must Watch\n',
  )
  expect(read).toMatchObject({
    rows: [
      { line: 2, problem: 'Missing URL.' },
      { line: 3, problem: 'Unknown category "Nowhere".' },
      { line: 5, row: { url: 'https://youtu.be/y', category: 'Must Watch' } },
    ],
  })
})

it('semicolons are accepted as delimiters', () => {
  const read = readCsv('url;artist\nhttps://youtu.be/y;"Me; you, them"\n')
  expect(read).toMatchObject({ rows: [{ row: { artistName: 'Me; you, them' } }] })
})

it.each([
  ['UTF-8', (text: string) => new TextEncoder().encode(text), 0],
  ['UTF-8 with a mark', (text: string) => new TextEncoder().encode(`\uFEFF${text}`), 0],
  ['UTF-16, little-endian', (text: string) => bytesOf(`\uFEFF${text}`, (code) => [code & 255, code >> 8]), 0],
  ['UTF-16, big-endian', (text: string) => bytesOf(`\uFEFF${text}`, (code) => [code >> 8, code & 255]), 0],
  ['UTF-16 without a mark', (text: string) => bytesOf(text, (code) => [code & 255, code >> 8]), 0],
  ['Windows-1252', (text: string) => bytesOf(text, (code) => [code === 0x20ac ? 0x80 : code]), 1],
])('a file in %s keeps its accents', (_encoding, encode, noteCount) => {
  const read = readBytes(encode('url;artist\r\nhttps://youtu.be/y;Motörhead €\r\n'))
  expect(read).toMatchObject({ rows: [{ line: 2, row: { artistName: 'Motörhead €' } }] })
  expect(read).toHaveProperty('notes.length', noteCount)
  if (noteCount > 0) expect(read).toHaveProperty('notes.0', expect.stringContaining('Windows-1252'))
})

it('a first line that names the separator is followed', () => {
  const read = readCsv('sep=;\r\nurl;"artist, band";title\r\nhttps://youtu.be/y;;Déjà vu, live\r\n')
  expect(read).toMatchObject({
    rows: [{ line: 3, row: { url: 'https://youtu.be/y', title: 'Déjà vu, live' } }],
    notes: ['Columns that are not imported: artist, band.'],
  })
})

it('a quoted comma in the header is no separator', () => {
  const read = readCsv('"a, b, c";url;artist\nx;https://youtu.be/y;Me\n')
  expect(read).toMatchObject({ rows: [{ row: { url: 'https://youtu.be/y', artistName: 'Me' } }] })
})

it('the number of a line counts all lines of the file, also those inside a cell and empty ones', () => {
  const read = readCsv(
    '"url","note\r\nof us"\r\n\r\nhttps://youtu.be/a,"one\ntwo\nthree"\r\n,\r\n,x\r\nhttps://youtu.be/b,\r\n',
  )
  expect(read).toMatchObject({ rows: [{ line: 4 }, { line: 8, problem: 'Missing URL.' }, { line: 9 }] })
})

it('texts are normalised, and positions read in digits of any script', () => {
  const read = readCsv(
    'url,title,artist,start\n\u200bhttps://youtu.be/y\u200b,\u3164,Beyonce\u0301\u202e,٠:٠٥\n',
  )
  expect(read).toMatchObject({
    rows: [{ row: { url: 'https://youtu.be/y', artistName: 'Beyoncé', startAtMs: 5000 } }],
  })
  expect(read).not.toHaveProperty('rows.0.row.title')
})

it('a file that is not a list of videos is rejected', () => {
  expect(readCsv('a,b\n1,2')).toHaveProperty('problem')
  expect(readCsv('url\n')).toHaveProperty('problem')
  expect(readCsv('')).toHaveProperty('problem')
  expect(readCsv(`url\n${'x\n'.repeat(5001)}`)).toHaveProperty('problem')
})

it('tags and trim points are read, and faulty ones reported', () => {
  const read = readCsv(
    'url,tags,start,end\nhttps://youtu.be/a,"Rock, rock,Live",0:05.5,1:00\nhttps://youtu.be/b,,5,\nhttps://youtu.be/c,,0:05,0:05.5\n',
  )
  expect(read).toMatchObject({
    rows: [
      { row: { tags: ['Rock', 'Live'], startAtMs: 5500, endAtMs: 60_000 } },
      { problem: 'Start: Enter a time such as 1:05 or 1:05.500.' },
      { problem: 'End: The end must be at least one second after the start.' },
    ],
  })
})
