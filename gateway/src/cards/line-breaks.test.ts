import { expect, it } from 'vitest'
import { breakLines } from './line-breaks.ts'

const breakAt = (width: number, text: string, maxLines = 9): string[] =>
  breakLines(text, maxLines, (line) => line.length <= width)

it('breaks after spaces, and keeps punctuation with its word', () => {
  expect(breakAt(12, 'A title (Live) goes on!')).toEqual(['A title', '(Live) goes', 'on!'])
})

it('breaks between the words of scripts that write no spaces', () => {
  expect(breakAt(4, '夜に駆ける').join('')).toBe('夜に駆ける')
  expect(breakAt(4, '夜に駆ける').length).toBeGreaterThan(1)
  expect(breakAt(6, 'เพลงไทยที่รัก')[0]).toBe('เพลง')
})

it('breaks a word that is too long anywhere but within a letter', () => {
  expect(breakAt(4, 'aaaaaa')).toEqual(['aaaa', 'aa'])
  expect(breakAt(9, '👨‍👩‍👧👨‍👩‍👧')).toEqual(['👨‍👩‍👧', '👨‍👩‍👧'])
})

it('ends the last line with an ellipsis if there is more', () => {
  expect(breakAt(7, 'one two three', 1)).toEqual(['one tw…'])
  expect(breakAt(7, 'one two three', 2)).toEqual(['one two', 'three'])
})

it('has no lines for no text', () => {
  expect(breakAt(5, ' ')).toEqual([])
})
