import fc from 'fast-check'
import { expect, it } from 'vitest'
import { codeOf, emailProblem, newPasswordProblem, signInProblem, signUpProblem } from './form-rules.ts'

const complete = {
  fullName: 'Ann',
  email: 'ann@example.org',
  password: 'long enough',
  confirmation: 'long enough',
}

it('lets complete forms through', () => {
  expect(signInProblem({ email: ' ann@example.org ', password: 'x' })).toBeUndefined()
  expect(emailProblem({ email: 'ann@example.org' })).toBeUndefined()
  expect(signUpProblem(complete)).toBeUndefined()
})

it('asks for each field of a sign-up that is blank', () => {
  for (const field of ['fullName', 'email', 'password'] as const) {
    for (const blank of field === 'password' ? [''] : ['', '   ']) {
      const form = { ...complete, [field]: blank, confirmation: complete.password }
      expect(signUpProblem(form)?.field).toBe(field)
    }
  }
})

it('names a mismatch in the words of the specification', () => {
  expect(signUpProblem({ ...complete, confirmation: 'another one' })).toEqual({
    field: 'confirmation',
    title: 'Password Mismatch',
    description: 'Passwords do not match',
  })
})

it('takes new passwords of 8 to 128 characters and no others', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, minLength: 1 }), (password) => {
      const isRefused = newPasswordProblem({ password, confirmation: password }) !== undefined
      const length = [...password].length
      expect(isRefused).toBe(length < 8 || length > 128)
    }),
  )
})

it('refuses what cannot be an address', () => {
  for (const email of ['ann', '@', 'ann@', 'a nn@example.org']) {
    expect(emailProblem({ email })).toBeDefined()
    expect(signInProblem({ email, password: 'x' })).toBeDefined()
  }
})

it('accepts an address that was pasted with invisible characters', () => {
  for (const email of [
    ' ann@example.org ',
    '\u202aann@example.org\u202c',
    'ann\ufeff@exam\u200bple.org\u00ad',
  ])
    expect(emailProblem({ email })).toBeUndefined()
})

it('finds six digits in whatever was pasted', () => {
  expect(codeOf(' 123 456 ')).toBe('123456')
  for (const code of ['١٢٣٤٥٦', '۱۲۳ ۴۵۶', '１２３４５６']) expect(codeOf(code)).toBe('123456')
  expect(codeOf('12345')).toBeUndefined()
  expect(codeOf('1234567')).toBeUndefined()
})
