import { expect, it } from 'vitest'
import { mailboxOf } from './mailbox.ts'

it.each([
  ['ada@example.test', 'ada@example.test'],
  ['Ada@Example.TEST', 'ada@example.test'],
  ['ada+tv@example.test', 'ada@example.test'],
  ['ada+tv+box@example.test', 'ada@example.test'],
  ['ada+@example.test', 'ada@example.test'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

it.each([
  'a.da@example.test',
  'ada-tv@example.test',
  'ada=tv@example.test',
  '+tv@example.test',
  'ada@tv.test',
])('%s is a mailbox of its own', (email) => {
  expect(mailboxOf(email)).toBe(email)
})
