import { expect, it } from 'vitest'
import { liveChannelId } from './live-channel.ts'

it('Live TV shows the default channel while that is active, else the first active channel on the air', () => {
  const [quiet, night, main] = [
    { id: 'quiet', status: 'idle' },
    { id: 'night', status: 'live' },
    { id: 'main', status: 'live' },
  ] as const
  expect(liveChannelId('main', undefined)).toBe('main')
  expect(liveChannelId('main', [night, main])).toBe('main')
  expect(liveChannelId('main', [quiet, night])).toBe('night')
  expect(liveChannelId('main', [quiet])).toBe('quiet')
  expect(liveChannelId('main', [])).toBeUndefined()
})
