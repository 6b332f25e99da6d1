import { expect, it } from 'vitest'
import { Echo, readableLine } from './echo.ts'

it('leaves everyday lines to the log file', () => {
  expect(readableLine('chat', '{"level":30,"msg":"listening"}')).toBeUndefined()
  expect(readableLine('chat', '')).toBeUndefined()
})

it('puts warnings and worse in words, with the reason', () => {
  const line = '{"level":50,"msg":"the relay stopped","err":{"message":"no server\\n    at x"}}'
  expect(readableLine('chat', line)).toBe('  chat: error: the relay stopped (no server)')
})

it('passes on what is no log line, such as a crash', () => {
  expect(readableLine('chat', 'SyntaxError: oops')).toBe('  chat: SyntaxError: oops')
})

it('says the same thing once a minute, and nothing while it is off', () => {
  const said: string[] = []
  let now = 0
  const echo = new Echo(
    (text) => said.push(text),
    () => now,
  )
  echo.line('chat', 'before')
  echo.enabled = true
  echo.line('chat', 'again')
  now = 30_000
  echo.line('chat', 'again')
  echo.line('chat', 'other')
  now = 61_000
  echo.line('chat', 'again')
  expect(said).toEqual(['  chat: again', '  chat: other', '  chat: again'])
})
