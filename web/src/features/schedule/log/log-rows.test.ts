import { describe, expect, it } from 'vitest'
import { logProgramme } from './log-fixture.ts'
import { findProgrammes, rowsOf } from './log-rows.ts'

describe('rowsOf', () => {
  it('has a heading for each date of the time zone', () => {
    const evening = logProgramme('evening', '22:50')
    const night = logProgramme('night', '23:10')
    expect(rowsOf([evening, night], 'Europe/Berlin')).toEqual([
      { date: '2026-11-27' },
      { programme: evening },
      { date: '2026-11-28' },
      { programme: night },
    ])
    expect(rowsOf([evening, night], 'UTC')).toHaveLength(3)
  })
})

describe('findProgrammes', () => {
  const song = { ...logProgramme('Night Drive', '09:15'), blockName: 'Late Lounge' }
  const card = { ...logProgramme('', '09:19'), title: null, kind: 'ident', ident: 'station' } as const
  const all = [song, card]
  const find = (text: string) => findProgrammes(all, text, 'UTC')

  it('finds titles, artists, blocks, sources and times, whatever their case', () => {
    expect(find('night ann')).toEqual([song])
    expect(find('lounge')).toEqual([song])
    expect(find('9:15')).toEqual([song])
    expect(find('LIBRARY')).toEqual(all)
    expect(find('station ident')).toEqual([card])
  })

  it('finds only what contains each word, and everything without a word', () => {
    expect(find('night day')).toEqual([])
    expect(find('  ')).toEqual(all)
  })
})
