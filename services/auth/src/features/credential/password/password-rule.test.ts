import { expect, it } from 'vitest'
import { requireStrong, weaknessesOf } from './password-rule.ts'

it.each([
  ['1234567', ['length']],
  ['', ['length']],
  ['x'.repeat(129), ['length']],
  ['x'.repeat(128), []],
  ['🎵'.repeat(8), []],
  ['🎵'.repeat(7), ['length']],
  ['password', ['pwned']],
  ['PassWord123', ['pwned']],
  ['1qaz2wsx', ['pwned']],
  ['LoopTide-2026', ['pwned']],
  ['a tide that loops', []],
  ['a tune nobody knows', []],
])('finds the weaknesses of %s: %j', async (password, reasons) => {
  expect(await weaknessesOf(password)).toEqual(reasons)
})

it('throws weak_password with the weaknesses', async () => {
  const breached = { include: async (password: string) => password === 'a tide that loops' }
  const refusal = (weakness: string) =>
    expect.objectContaining({ reason: 'weak_password', weaknesses: [weakness] })
  await expect(requireStrong('short', breached)).rejects.toThrow(refusal('length'))
  await expect(requireStrong('a tide that loops', breached)).rejects.toThrow(refusal('pwned'))
  await requireStrong('a tune nobody knows', breached)
})
