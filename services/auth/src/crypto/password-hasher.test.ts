import { expect, it } from 'vitest'
import { PasswordHasher } from './password-hasher.ts'

it('verifies a correct password and refuses a wrong one', async () => {
  const hasher = new PasswordHasher()
  const stored = await hasher.hash('correct horse')
  expect(stored).toMatch(/^\$argon2id\$/)
  expect(await hasher.verify(stored, 'correct horse')).toBe(true)
  expect(await hasher.verify(stored, 'battery staple')).toBe(false)
  expect(await hasher.verify(null, 'any password')).toBe(false)
})

it('queues concurrent work up to its limit and refuses the rest', async () => {
  const hasher = new PasswordHasher(1)
  const results = await Promise.allSettled(Array.from({ length: 80 }, () => hasher.verify(null, 'x')))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(80 - 65)
  expect(refused[0]).toMatchObject({ reason: { reason: 'too_many_requests' } })
  expect(await hasher.verify(null, 'x')).toBe(false)
})
