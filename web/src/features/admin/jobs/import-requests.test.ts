import { expect, it } from 'vitest'
import { inRequests } from './import-requests.ts'

const rowsOf = (count: number, url: string) =>
  Array.from({ length: count }, (_, n) => ({ url: `${url}${n}` }))

it('the rows of a usual file are one request', () => {
  const rows = rowsOf(5000, 'https://youtu.be/')
  expect(inRequests(rows)).toEqual([rows])
})

it('rows that need more than a request holds are several ones, in their order', () => {
  const rows = rowsOf(2500, `https://media.example/${'ü'.repeat(400)}`)
  const requests = inRequests(rows)
  expect(requests.length).toBe(3)
  expect(requests.flat()).toEqual(rows)
  const sizes = requests.map((each) => new TextEncoder().encode(JSON.stringify(each)).length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000_001)
  expect(inRequests(rowsOf(10_001, '')).map((each) => each.length)).toEqual([10_000, 1])
})
