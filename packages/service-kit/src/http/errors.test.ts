import { expect, test } from 'vitest'
import { errors, isMissingReference, isOutage } from './errors.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ['the disk is full', '53100'],
  ['memory is exhausted', '53200'],
  ['too many files are open', '53000'],
  ['the disk reports an error', '58030'],
  ['a page lies past the end of a file that could not be extended', 'XX000'],
  ['a page could be read in part only', 'XX001'],
  ['an index is damaged', 'XX002'],
  ['the database crashed and starts again', '57P02'],
  ['the database starts', '57P03'],
  ['a limit of the configuration is reached', '53400'],
  ['a file of the database cannot be opened', '58P01'],
  ['the database shuts down', '57P01'],
  ['the statement took too long', '57014'],
  ['the connection failed', '08006'],
  ['the transaction was the victim of a deadlock', '40P01'],
  ['no local port is free', 'EADDRNOTAVAIL'],
])('%s: an outage', (_reason, code) => {
  expect(isOutage(withCode(code))).toBe(true)
})

test.each([
  ['a column does not exist', '42703'],
  ['a value is not unique', '23505'],
  ['no code', ''],
])('%s: not an outage', (_reason, code) => {
  expect(isOutage(withCode(code))).toBe(false)
})

test('a missing reference is a violated foreign key', () => {
  expect(isMissingReference(withCode('23503'))).toBe(true)
  expect(isMissingReference(withCode('23505'))).toBe(false)
})

test('a new connection that is not answered in time is an outage', () => {
  expect(isOutage(new Error('timeout expired'))).toBe(true)
})

test('an outage is recognised as the cause of another error', () => {
  expect(isOutage(new Error('query failed', { cause: withCode('53100') }))).toBe(true)
  expect(isOutage(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true)
  expect(isOutage(errors.unavailable('Search'))).toBe(true)
})
