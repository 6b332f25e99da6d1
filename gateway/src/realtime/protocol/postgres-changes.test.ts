import { describe, expect, it } from 'vitest'
import { changeJson, insertedRow, parseBindings } from './postgres-changes.ts'

const chat = { kind: 'chat', id: 'default' } as const
const binding = { event: 'INSERT', schema: 'public', table: 'live_chat_messages' }
const row = insertedRow({
  id: 'a',
  channelId: 'default',
  seq: 3,
  userId: 'u',
  author: { handle: null, artistName: null, role: 'user' },
  message: 'hi',
  createdAt: '2026-11-20T12:00:00.000Z',
})

function accepted(requested: unknown) {
  const bindings = parseBindings(requested, chat)
  if (bindings === null || typeof bindings === 'string') throw new Error(`refused: ${bindings}`)
  return bindings
}

describe('postgres_changes', () => {
  it('lists the bindings in the reply, in order and with unique ids', () => {
    const requested = [binding, { ...binding, event: '*', filter: 'channel_id=eq.default' }, { ...binding }]
    const { replyList, list } = accepted(requested)
    expect(replyList.map(({ id: _id, ...rest }) => rest)).toEqual(requested)
    expect(new Set(list.map(({ id }) => id)).size).toBe(3)
  })

  it('gives equal joins equal keys, so that they share frames', () => {
    expect(accepted([binding]).key).toBe(accepted([{ ...binding }]).key)
  })

  it('names only the matching bindings', () => {
    const bindings = accepted([
      binding,
      { ...binding, event: 'DELETE' },
      { ...binding, filter: 'channel_id=eq.default' },
      { ...binding, filter: 'channel_id=eq.other' },
    ])
    const [first, , third] = bindings.list
    const { ids, data } = JSON.parse(changeJson(bindings, row) ?? 'null')
    expect(ids).toEqual([first?.id, third?.id])
    expect(data).toMatchObject({ type: 'INSERT', table: 'live_chat_messages', errors: null, old_record: {} })
    expect(data.columns.map(({ name }: { name: string }) => name)).toEqual(Object.keys(data.record))
    expect(changeJson(accepted([{ ...binding, event: 'UPDATE' }]), row)).toBeNull()
  })

  it.each([
    ['another table', { ...binding, table: 'users' }],
    ['another schema', { ...binding, schema: 'auth' }],
    ['an unknown column', { ...binding, filter: 'password=eq.x' }],
    ['an unknown operator', { ...binding, filter: 'seq=gt.5' }],
    ['an unknown event', { ...binding, event: 'TRUNCATE' }],
    ['no object', 7],
  ])('refuses %s', (_what, requested) => {
    expect(parseBindings([requested], chat)).toMatch(/^Unauthorized/)
  })

  it('refuses bindings on other topics and more than 20 bindings', () => {
    expect(parseBindings([binding], { kind: 'stream', id: 'default' })).toMatch(/^Unauthorized/)
    expect(parseBindings(Array(21).fill(binding), chat)).toMatch(/^Unauthorized/)
  })

  it('returns null when nothing is requested', () => {
    for (const requested of [undefined, null, [], {}, 'x']) expect(parseBindings(requested, chat)).toBeNull()
  })
})
