import { expect, it } from 'vitest'
import { OPERATIONS } from './http/operations.ts'
import { needsProofRow, PROOF_OF, proofOf } from './proofs.ts'

it('every operation of auth for signed-in users has a row', () => {
  expect([...OPERATIONS.keys()].filter((name) => needsProofRow(name) && !PROOF_OF.has(name))).toEqual([])
})

it('has no row for an operation that does not exist or needs none', () => {
  const operations = [...PROOF_OF.keys()].map((row) => row.split(' | ')[0] ?? '')
  expect(operations.filter((name) => !needsProofRow(name))).toEqual([])
})

it('an operation without a row is an error, also with a case that is not in the table', () => {
  expect(() => proofOf('auth.user.update | phone')).toThrow('no row')
  expect(proofOf('catalogue.video.delete')).toBe('none')
})
