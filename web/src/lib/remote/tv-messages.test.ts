import { expect, it } from 'vitest'
import { MAX_SEARCH_TEXT, readCommand, readTv, type TvCommand } from './tv-messages.ts'

it('reads the commands to a TV', () => {
  const commands: TvCommand[] = [
    { kind: 'channel', step: 1 },
    { kind: 'channel', step: -1 },
    { kind: 'mute' },
    { kind: 'guide' },
    { kind: 'search', text: 'Mia' },
  ]
  for (const command of commands) expect(readCommand({ tv: 'a', command }, 'a')).toEqual(command)
})

it('ignores commands to another TV, and malformed messages', () => {
  expect(readCommand({ tv: 'b', command: { kind: 'mute' } }, 'a')).toBeUndefined()
  for (const command of [null, 'mute', {}, { kind: 'off' }, { kind: 'channel', step: 5 }, { kind: 'search' }])
    expect(readCommand({ tv: 'a', command }, 'a')).toBeUndefined()
  for (const message of [undefined, null, 1, [], { tv: 1 }]) {
    expect(readCommand(message, 'a')).toBeUndefined()
    expect(readTv(message)).toBeUndefined()
  }
  expect(readTv({ tv: 'a' })).toBe('a')
})

it('cuts a long search text', () => {
  const text = 'x'.repeat(5000)
  expect(readCommand({ tv: 'a', command: { kind: 'search', text } }, 'a')).toEqual({
    kind: 'search',
    text: text.slice(0, MAX_SEARCH_TEXT),
  })
})
