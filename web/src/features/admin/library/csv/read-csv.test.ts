import { csvLine } from '@looptide/contracts/csv'
import { VIDEO_CSV_COLUMNS } from '@looptide/contracts/video-csv'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCsv } from './read-csv.ts'

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
    .map(([start, rest]) => (start + rest).trim())
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
      { line: 4, row: { url: 'https://youtu.be/y', category: 'Must Watch' } },
    ],
  })
})

it('semicolons are accepted as delimiters', () => {
  const read = readCsv('url;artist\nhttps://youtu.be/y;"Me; you, them"\n')
  expect(read).toMatchObject({ rows: [{ row: { artistName: 'Me; you, them' } }] })
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
