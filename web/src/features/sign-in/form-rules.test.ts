import fc from 'fast-check'
import { expect, it } from 'vitest'
import { codeOf, newPasswordProblem, quickSignInProblem, signInProblem, signUpProblem } from './form-rules.ts'

const complete = {
  fullName: 'Ann',
  email: 'ann@example.org',
  password: 'long enough',
  confirmation: 'long enough',
}

it('lets complete forms through', () => {
  expect(signInProblem({ email: ' ann@example.org ', password: 'x' })).toBeUndefined()
  expect(quickSignInProblem({ email: 'ann@example.org' })).toBeUndefined()
  expect(signUpProblem(complete)).toBeUndefined()
})

it('asks for each field of a sign-up that is blank', () => {
  for (const field of ['fullName', 'email', 'password'] as const) {
    for (const blank of field === 'password' ? [''] : ['', '   ']) {
      expect(signUpProblem({ ...complete, [field]: blank, confirmation: complete.password })).toBeDefined()
    }
  }
})

it('names a mismatch in the words of the specification', () => {
  expect(signUpProblem({ ...complete, confirmation: 'another one' })).toEqual({
    title: 'Password Mismatch',
    description: 'Passwords do not match',
  })
})

it('takes new passwords of 8 to 128 characters and no others', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, minLength: 1 }), (password) => {
      const isRefused = newPasswordProblem({ password, confirmation: password }) !== undefined
      expect(isRefused).toBe(password.length < 8 || password.length > 128)
    }),
  )
})

it('refuses what cannot be an address', () => {
  for (const email of ['ann', '@', 'ann@', 'a nn@example.org']) {
    expect(quickSignInProblem({ email })).toBeDefined()
    expect(signInProblem({ email, password: 'x' })).toBeDefined()
  }
})

it('finds six digits in whatever was pasted', () => {
  expect(codeOf(' 123 456 ')).toBe('123456')
  expect(codeOf('12345')).toBeUndefined()
  expect(codeOf('1234567')).toBeUndefined()
})
