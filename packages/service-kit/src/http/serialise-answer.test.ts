import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { serialiserFor } from './serialise-answer.ts'

const schema = Type.Object({ name: Type.String(), count: Type.Integer() })

it('writes the fields of the schema and no others', () => {
  expect(serialiserFor(schema)({ name: 'a', count: 1, secret: 'b' })).toBe('{"name":"a","count":1}')
})

it('is compiled once for a schema', () => {
  expect(serialiserFor(schema)).toBe(serialiserFor(schema))
})
