import { expect, it } from 'vitest'
import { playlistIdOf } from './playlist-id.ts'

it('finds the playlist in every form of address on YouTube', () => {
  for (const url of [
    'https://www.youtube.com/playlist?list=PLabc_-1',
    ' youtube.com/watch?v=abcdefghijk&list=PLabc_-1 ',
    'https://youtu.be/abcdefghijk?list=PLabc_-1',
  ]) {
    expect(playlistIdOf(url)).toBe('PLabc_-1')
  }
})

it('finds none elsewhere', () => {
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
