import { expect, it } from 'vitest'
import { readUserCode, showUserCode } from './user-codes.ts'

it('reads a code without regard to case, spaces, hyphens and invisible characters', () => {
  for (const typed of [
    'BCDFGHJK',
    'bcdf-ghjk',
    ' b c d f – g h j k ',
    'BCDF\u00a0GHJK',
    '\u200eBCDF\u200b-\u00adGHJK\ufeff',
  ])
    expect(readUserCode(typed)).toBe('BCDFGHJK')
  expect(showUserCode('BCDFGHJK')).toBe('BCDF-GHJK')
})

it('refuses what can be no code', () => {
  for (const typed of ['', 'BCDF', 'BCDFGHJKL', 'BCDFGHJA', 'BCDFGHJ1', 'BCDFGHJß', 'BCDF_GHJK'])
    expect(readUserCode(typed)).toBeNull()
})
