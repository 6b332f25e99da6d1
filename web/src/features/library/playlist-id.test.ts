import { expect, it } from 'vitest'
import { playlistIdOf } from './playlist-id.ts'

it('the playlist id is found in every form of YouTube URL', () => {
  for (const url of [
    'https://www.youtube.com/playlist?list=PLabc_-1',
    ' youtube.com/watch?v=abcdefghijk&list=PLabc_-1 ',
    'https://youtu.be/abcdefghijk?list=PLabc_-1',
  ]) {
    expect(playlistIdOf(url)).toBe('PLabc_-1')
  }
})

it('other texts have no playlist id', () => {
  for (const url of [
    '',
    'PLabc',
    'https://youtube.com/watch?v=abcdefghijk',
    'https://youtube.com.evil.example/playlist?list=PLabc',
    'https://www.youtube.com/playlist?list=../../users',
  ]) {
    expect(playlistIdOf(url)).toBeNull()
  }
})
