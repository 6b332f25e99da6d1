import { expect, it } from 'vitest'
import { AuthError, errorBody, wantsNewShape } from './auth-error.ts'

it.each([
  ['2024-01-01', true],
  ['2025-06-30', true],
  ['2023-12-31', false],
  ['latest', false],
  ['', false],
  [undefined, false],
])('version %s wants the new shape: %s', (header, expected) => {
  expect(wantsNewShape(header)).toBe(expected)
})

it('speaks both shapes', () => {
  const error = new AuthError('weak_password', 'Too short', { reasons: ['length'] })
  expect(errorBody(error, true)).toEqual({
    code: 'weak_password',
    message: 'Too short',
    weak_password: { reasons: ['length'] },
  })
  expect(errorBody(error, false)).toEqual({
    code: 422,
    error_code: 'weak_password',
    msg: 'Too short',
    weak_password: { reasons: ['length'] },
  })
})
