import { describe, expect, it } from 'vitest'
import { changeJson, insertedRow, parseBindings } from './postgres-changes.ts'

const chat = { kind: 'chat', id: 'default' } as const
const wish = { event: 'INSERT', schema: 'public', table: 'live_chat_messages' }
const row = insertedRow({
  id: 'a',
  channelId: 'default',
  seq: 3,
  userId: 'u',
  author: { handle: null, artistName: null, role: 'user' },
  message: 'hi',
  createdAt: '2026-11-20T12:00:00.000Z',
})

function accepted(asked: unknown) {
  const bindings = parseBindings(asked, chat)
  if (bindings === null || typeof bindings === 'string') throw new Error(`refused: ${bindings}`)
  return bindings
}

describe('postgres_changes', () => {
  it('mirrors the list in order, each with an id of its own', () => {
    const asked = [wish, { ...wish, event: '*', filter: 'channel_id=eq.default' }, { ...wish }]
    const { mirrored, list } = accepted(asked)
    expect(mirrored.map(({ id: _id, ...rest }) => rest)).toEqual(asked)
    expect(new Set(list.map(({ id }) => id)).size).toBe(3)
  })

  it('gives equal joins equal ids, so that they share frames', () => {
    expect(accepted([wish]).key).toBe(accepted([{ ...wish }]).key)
  })

  it('tells only the bindings that match', () => {
    const bindings = accepted([
      wish,
      { ...wish, event: 'DELETE' },
      { ...wish, filter: 'channel_id=eq.default' },
      { ...wish, filter: 'channel_id=eq.other' },
    ])
    const [first, , third] = bindings.list
    const { ids, data } = JSON.parse(changeJson(bindings, row) ?? 'null')
    expect(ids).toEqual([first?.id, third?.id])
    expect(data).toMatchObject({ type: 'INSERT', table: 'live_chat_messages', errors: null, old_record: {} })
    expect(data.columns.map(({ name }: { name: string }) => name)).toEqual(Object.keys(data.record))
    expect(changeJson(accepted([{ ...wish, event: 'UPDATE' }]), row)).toBeNull()
  })

  it.each([
    ['another table', { ...wish, table: 'users' }],
    ['another schema', { ...wish, schema: 'auth' }],
    ['an unknown column', { ...wish, filter: 'password=eq.x' }],
    ['an unknown operator', { ...wish, filter: 'seq=gt.5' }],
    ['an unknown event', { ...wish, event: 'TRUNCATE' }],
    ['no object', 7],
  ])('refuses %s', (_what, asked) => {
    expect(parseBindings([asked], chat)).toMatch(/^Unauthorized/)
  })

  it('refuses tables on other topics and lists that are too long', () => {
    expect(parseBindings([wish], { kind: 'stream', id: 'default' })).toMatch(/^Unauthorized/)
    expect(parseBindings(Array(21).fill(wish), chat)).toMatch(/^Unauthorized/)
  })

  it('asks for nothing when nothing is asked', () => {
    for (const asked of [undefined, null, [], {}, 'x']) expect(parseBindings(asked, chat)).toBeNull()
  })
})
