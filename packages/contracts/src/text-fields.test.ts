import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { Nullable, Uuid } from './common.ts'
import { Address, Code, Line, Opaque, Paragraph, PasswordText, textNormaliser } from './text-fields.ts'

const Body = Type.Object({
  id: Uuid,
  name: Type.Optional(Nullable(Line({ maxLength: 10 }))),
  kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
  lines: Type.Array(Type.Object({ url: Address(), code: Code(), text: Paragraph() })),
  tags: Type.Record(Type.String(), Type.Array(Line())),
  password: PasswordText(),
  token: Opaque(),
  count: Type.Integer(),
  either: Type.Union([Type.Object({ a: Line() }), Type.Object({ b: Code() }), Type.Null()]),
  any: Type.Unknown(),
})
const normalise = textNormaliser(Body)!

describe('the texts of a value', () => {
  it('are normalised by the classes of their fields', () => {
    const given = {
      id: '\u200b0192d3a0-0000-7000-8000-000000000000',
      name: 'Cafe\u0301\u202e',
      kind: 'a',
      lines: [{ url: ' https://a.example/\u200b ', code: '١٢', text: 'a\r\nb' }],
      tags: { 'e\u0301': ['Rock ', '\u3164'] },
      password: 'e\u0301 ',
      token: '\u200b',
      count: 1,
      either: { b: '٣' },
      any: 'e\u0301',
    }
    const before = structuredClone(given)
    expect(normalise(given)).toEqual({
      ...given,
      id: '0192d3a0-0000-7000-8000-000000000000',
      name: 'Café',
      lines: [{ url: 'https://a.example/', code: '12', text: 'a\nb' }],
      tags: { 'e\u0301': ['Rock', ''] },
      either: { b: '3' },
    })
    expect(given).toEqual(before)
  })

  it('are left alone where the value does not fit the schema', () => {
    for (const value of [null, 7, 'é\u0301', [], { lines: 'x', name: 3, tags: [], either: 'e\u0301' }])
      expect(normalise(value)).toBe(value)
  })

  it('are left alone where they are far too long', () => {
    const name = 'e\u0301'.repeat(40)
    expect(normalise({ name })).toEqual({ name: 'é'.repeat(40) })
    const value = { name: `${name}x` }
    expect(normalise(value)).toBe(value)
  })

  it('are not copied if they are normal', () => {
    const value = { name: 'Café', lines: [{ url: 'https://a.example', code: '1', text: 'a' }] }
    expect(normalise(value)).toBe(value)
  })
})

it.each([
  ['a field', Type.Object({ a: Type.Object({ title: Type.String() }) }), '/a/title'],
  ['an item', Type.Object({ a: Type.Array(Type.String({ maxLength: 3 })) }), '/a/*'],
  ['a member of a union', Type.Object({ a: Nullable(Type.String({ pattern: '^x' })) }), '/a'],
  ['a value of a record', Type.Record(Type.String(), Type.String()), '/*'],
  ['a format without a rule', Type.Object({ a: Type.String({ format: 'hostname' }) }), '/a'],
])('%s without a class is refused', (_what, schema, path) => {
  expect(() => textNormaliser(schema)).toThrow(`The text ${path} needs a class`)
})
