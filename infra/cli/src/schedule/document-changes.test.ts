import { describe, expect, it } from 'vitest'
import { changeLine, documentChanges } from './document-changes.ts'

const block = (id: string, from: string) => ({
  id,
  name: `Block ${id}`,
  days: ['mon', 'tue'],
  from,
  to: '24:00',
})
const lines = (before: object, after: object) => documentChanges(before, after).map(changeLine)

describe('the difference of two documents', () => {
  it('is empty for equal ones, whatever the order of their blocks, with empty lists or without', () => {
    const [a, b] = [block('a', '10:00'), block('b', '20:00')]
    expect(lines({ blocks: [a, b] }, { blocks: [b, a], specials: [], rules: {} })).toEqual([])
  })

  it('names added, removed and changed parts by their ids', () => {
    const before = {
      timeZone: 'UTC',
      sources: { gold: { kind: 'smart', where: {} } },
      blocks: [block('a', '10:00')],
    }
    const after = {
      timeZone: 'Asia/Tokyo',
      sources: { constructor: { kind: 'playlist' } },
      blocks: [block('b', '20:00'), { ...block('a', '11:00'), days: ['mon'] }],
      overrides: [{ id: 'holiday', blocks: [] }],
    }
    expect(lines(before, after).toSorted()).toEqual([
      '+ blocks/b: "Block b"',
      '+ overrides/holiday: {"id":"holiday","blocks":{}}',
      '+ sources/constructor: {"kind":"playlist"}',
      '- sources/gold: {"kind":"smart","where":{}}',
      '~ blocks/a/days: mon, tue → mon',
      '~ blocks/a/from: 10:00 → 11:00',
      '~ timeZone: UTC → Asia/Tokyo',
    ])
  })

  it('names slots of a clock by their positions, and blocks of an override by their ids', () => {
    const before = {
      clocks: { music: [{ source: 'gold', count: 2 }] },
      overrides: [{ id: 'x', blocks: [block('a', '10:00')] }],
    }
    const after = {
      clocks: {
        music: [
          { source: 'gold', count: 3 },
          { ident: 'station', durationMs: 5000 },
        ],
      },
      overrides: [{ id: 'x', blocks: [] }],
    }
    expect(lines(before, after)).toEqual([
      '~ clocks/music/0/count: 2 → 3',
      '+ clocks/music/1: {"ident":"station","durationMs":5000}',
      '- overrides/x/blocks/a: "Block a"',
    ])
  })
})
