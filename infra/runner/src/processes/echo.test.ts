import { expect, it } from 'vitest'
import { Echo, readableLine } from './echo.ts'

it('ignores lines below warning', () => {
  expect(readableLine('chat', '{"level":30,"msg":"listening"}')).toBeUndefined()
  expect(readableLine('chat', '')).toBeUndefined()
})

it('shows warnings and errors as text, with the reason', () => {
  const line = '{"level":50,"msg":"the relay stopped","err":{"message":"no server\\n    at x"}}'
  expect(readableLine('chat', line)).toBe('  chat: error: the relay stopped (no server)')
})

it('shows lines that are not JSON, such as a crash', () => {
  expect(readableLine('chat', 'SyntaxError: oops')).toBe('  chat: SyntaxError: oops')
})

it('shows the same line once a minute, and none while it is off', () => {
  const said: string[] = []
  let now = 0
  const echo = new Echo(
    (text) => said.push(text),
    [],
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

it('shows every line of a process that is shown in full', () => {
  const said: string[] = []
  const echo = new Echo((text) => said.push(text), ['chat'])
  echo.enabled = true
  for (const name of ['chat', 'auth']) {
    echo.line(name, '{"level":30,"msg":"listening"}')
    echo.line(name, '{"level":30,"msg":"listening"}')
  }
  expect(said).toEqual(['  chat: listening', '  chat: listening'])
})
