import { expect, it } from 'vitest'
import { AuthError, errorBody, wantsCurrentErrorFormat } from './auth-error.ts'

it.each([
  ['2024-01-01', true],
  ['2025-06-30', true],
  ['2023-12-31', false],
  ['latest', false],
  ['', false],
  [undefined, false],
])('with version %s, the current error format is used: %s', (header, expected) => {
  expect(wantsCurrentErrorFormat(header)).toBe(expected)
})

it('writes an error in both formats', () => {
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
